// @ts-check
"use strict";
/* On every page, in the head: the colour scheme before the first paint, and one listener of each kind that
   fetches the rest when it is first needed. What is asked before a script is there waits in its queue. */
(() => {
  const root = document.documentElement;
  const urls = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const KEY = "site-scheme";
  /** @type {Record<string, string[]>} */
  const NEEDS = { bench: ["state", "media", "bench"], chart: ["chart"], tables: ["tables"] };
  /** @type {Record<string, any[][]>} */
  const queue = {};
  /** @type {Record<string, (...args: any[]) => void>} */
  const handlers = {};

  /** @type {SiteBoot} */
  const site = {
    urls,
    load(url, done, failed) {
      const script = document.createElement("script");
      script.src = url;
      script.async = false;
      if (done) script.onload = done;
      if (failed) script.onerror = failed;
      document.head.append(script);
    },
    ask(kind, ...args) {
      if (handlers[kind]) return handlers[kind](...args);
      if (!queue[kind]) {
        queue[kind] = [];
        // Without the bench, the first clip still gets the browser's own controls.
        const failed = () =>
          queue[kind].forEach(([, it, media]) => {
            if (!media) return;
            media.controls = true;
            it.closest("td").append(media);
          });
        for (const name of NEEDS[kind]) if (urls[name]) site.load(urls[name], undefined, failed);
      }
      queue[kind].push(args);
    },
    ready(kind, handler) {
      handlers[kind] = handler;
      for (const args of queue[kind] || []) handler(...args);
    },
    isDark: () => (root.dataset.scheme ? root.dataset.scheme === "dark" : dark.matches),
  };
  window.torusSite = site;
  root.classList.add("js");

  try {
    root.dataset.scheme = localStorage.getItem(KEY) || "";
  } catch {
    // Storage may be closed to pages from disk; the system's scheme serves.
  }

  const nameSwitch = () => {
    for (const it of document.querySelectorAll("[data-scheme-switch]"))
      it.setAttribute("aria-label", `Switch to ${site.isDark() ? "light" : "dark"} colours`);
    dispatchEvent(new Event("site-scheme"));
  };
  const switchScheme = () => {
    const next = site.isDark() ? "light" : "dark";
    root.dataset.scheme = (next === "dark") === dark.matches ? "" : next;
    try {
      localStorage.setItem(KEY, root.dataset.scheme);
    } catch {
      // It then lasts as long as the page.
    }
    nameSwitch();
  };
  dark.addEventListener("change", nameSwitch);

  /** @param {HTMLElement} button */
  const copy = async (button) => {
    const source = /** @type {HTMLElement} */ (document.getElementById(button.dataset.copy || ""));
    const name = (button.dataset.name ||= button.textContent || "");
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(source.innerText);
    } catch {
      getSelection()?.selectAllChildren(source);
      if (!document.execCommand("copy")) said = "Selected, now copy";
    }
    button.textContent = said;
    setTimeout(() => (button.textContent = name), 3000);
  };

  addEventListener("click", (event) => {
    /** @param {string} selector @returns {HTMLElement | null} */
    const near = (selector) => /** @type {Element} */ (event.target).closest(selector);
    let it;
    if ((it = near(".bench [data-src]"))) {
      // The sound starts inside the gesture; the bench takes the element over.
      let media;
      if (!handlers.bench && !queue.bench) {
        media = document.createElement("video" in it.dataset ? "video" : "audio");
        media.src = it.dataset.src || "";
        media.play().catch(() => {});
      }
      site.ask("bench", "press", it, media);
    } else if ((it = near("[data-clip]"))) site.ask("bench", "select", document.getElementById(it.dataset.clip || ""));
    else if ((it = near(".sort"))) site.ask("tables", it);
    else if ((it = near("[data-copy]"))) copy(it);
    else if (near("[data-scheme-switch]")) switchScheme();
  });
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return;
    if (!handlers.bench && target.matches(".bench [data-src]") && /^(Arrow.*|[1-9?])$/.test(key)) {
      event.preventDefault();
      site.ask("bench", "key", target, event);
    }
  });

  addEventListener("DOMContentLoaded", () => {
    nameSwitch();
    for (const head of document.querySelectorAll(".data [data-dir]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
    }
    if (!urls.chart) return;
    const figures = document.querySelectorAll(".fig .box");
    /** @param {Event} event */
    const wake = (event) => {
      const figure = /** @type {Element} */ (event.target).closest(".fig");
      if (figure) site.ask("chart", figure);
    };
    addEventListener("pointerover", wake);
    addEventListener("focusin", wake);
    const seen = new IntersectionObserver(
      (entries) => {
        for (const entry of entries)
          if (entry.isIntersecting) {
            seen.unobserve(entry.target);
            site.ask("chart", entry.target.parentElement);
          }
      },
      { rootMargin: "-15% 0px" },
    );
    addEventListener("scroll", () => figures.forEach((box) => seen.observe(box)), { once: true });
  });
})();
