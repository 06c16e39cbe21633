// @ts-check
"use strict";
/* The listening bench: one media element and one transport for the page. It draws what the reducer says and
   tells it what the listener and the element do. Sound never goes through Web Audio, which is silent from disk. */
(() => {
  const site = window.torusSite;
  const { EMPTY, reduce, clipAt, sounds } = TorusPlayer;
  const NUDGE_S = 1;
  const SLOW_MS = 8000;
  const KEYS = [
    ["Space, Enter", "play or pause the clip in focus"],
    ["↑ ↓", "the same moment from the system above or below"],
    ["1 to 9", "the same moment from that system"],
    ["← →", "the clip to the left or right"],
    [", .  or Shift ← →", "a second back or forward"],
    ["L", "play the clip over and over"],
    ["D", "show or hide what is known about the clip"],
    ["?", "this help"],
    ["Esc", "close the player"],
  ];
  const WORDS = {
    2: "The connection broke while this clip was loading. Press play to try again.",
    3: "This clip is damaged and cannot be played.",
    4: "This clip could not be loaded: its file is missing, or this browser cannot play it.",
    blocked: "The browser wants another press before it plays.",
  };

  /**
   * An element with attributes and children; a function as an attribute listens.
   * @param {string} tag
   * @param {Record<string, any>} [attributes]
   * @param {(Node | string)[]} children
   * @returns {any}
   */
  const make = (tag, attributes = {}, ...children) => {
    const it = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (typeof value === "function") it.addEventListener(name, value);
      else it.setAttribute(name, value);
    it.append(...children);
    return it;
  };

  /** @type {Readonly<PlayerState>} */
  let state = EMPTY;
  /** @type {Record<string, HTMLElement>} */
  const buttons = {};
  /** @type {Record<string, Record<string, [string, string, [string, string][]]>>} */
  const facts = {};

  /** @param {PlayerAction} action */
  const send = (action) => {
    const before = state;
    state = reduce(before, action);
    if (state !== before) show(before);
  };
  /** What the listener does is done at the moment that is heard, not at the last reported one. @param {PlayerAction} action */
  const act = (action) => {
    if (media && loaded && sounds(state) && !media.seeking) send({ type: "time", id: loaded, position: media.currentTime });
    send(action);
  };
  const current = () => clipAt(state, state.at);

  // The media element. `loaded` is the clip it holds; its events speak for that clip only.

  /** @type {Record<string, HTMLMediaElement>} */
  const elements = {};
  /** @type {HTMLMediaElement | undefined} */
  let media;
  let loaded = "";
  let adopted = "";
  let slow = 0;

  /** @param {HTMLMediaElement} element */
  const adopt = (element) => {
    elements[element.localName] = element;
    /** @param {string} name @param {() => void} handler */
    const on = (name, handler) => element.addEventListener(name, () => element === media && loaded && handler());
    on("playing", () => send({ type: "playing", id: loaded }));
    on("waiting", () => send({ type: "waiting", id: loaded }));
    on("play", () => element.paused || send({ type: "resumed", id: loaded }));
    on("pause", () => element.paused && !element.ended && send({ type: "paused", id: loaded }));
    on("ended", () => send({ type: "ended", id: loaded }));
    on("timeupdate", () => element.seeking || send({ type: "time", id: loaded, position: element.currentTime }));
    on("loadedmetadata", () => {
      send({ type: "length", id: loaded, seconds: element.duration });
      if (Math.abs(element.currentTime - state.position) > 0.05) element.currentTime = state.position;
    });
    on("error", () => fail(element.error?.code || 4));
    element.preload = "auto";
    if (element instanceof HTMLVideoElement) element.playsInline = true;
    return element;
  };
  /** @param {keyof typeof WORDS | number} why */
  const fail = (why) => {
    const words = /** @type {Record<string, string>} */ (WORDS)[why] || WORDS[4];
    send({ type: "failed", id: loaded, why: words });
  };
  const play = () => {
    const id = loaded;
    media?.play().catch((error) => {
      // An abort is a switch to the next clip; anything else the element's error event tells.
      if (id === loaded && error.name === "NotAllowedError") fail("blocked");
    });
  };
  const load = () => {
    const clip = current();
    const button = clip && buttons[clip.id];
    media?.pause();
    if (!button) {
      loaded = "";
      return;
    }
    const kind = "video" in button.dataset ? "video" : "audio";
    media = elements[kind] || adopt(document.createElement(kind));
    loaded = clip.id;
    media.src = button.dataset.src || "";
    media.loop = state.loop;
    if (state.position) media.currentTime = state.position;
    play();
  };
  /** @param {PlayerState} before */
  const drive = (before) => {
    const clip = current();
    const moved = state.load !== before.load || !clip;
    if (moved && media && clip?.id !== adopted) {
      loaded = "";
      media.pause();
    }
    adopted = "";
    if (!clip) return;
    if (sounds(state) && loaded !== clip.id) load();
    else if (media && loaded === clip.id) {
      if (state.seek !== before.seek) media.currentTime = state.position;
      if (state.loop !== before.loop) media.loop = state.loop;
      // Only a change of mind plays: at its end the element is paused before it says that it ended.
      const asked = !sounds(before) || state.seek !== before.seek;
      if (asked && sounds(state) && media.paused) play();
      else if (state.wants === "pause" && !media.paused) media.pause();
    }
    if (state.status !== before.status || moved) {
      clearTimeout(slow);
      if (state.status === "waiting") slow = setTimeout(() => say("Still loading. The connection may be slow."), SLOW_MS);
    }
  };

  // The transport, built at the first use.

  /** @param {string} name @param {string} text @param {() => void} click @param {Record<string, string>} [more] */
  const key = (name, text, click, more = {}) => make("button", { type: "button", "aria-label": name, click, ...more }, text);
  const go = key("Play", "", () => act({ type: "toggle" }), { class: "go" });
  const what = make("p", { class: "what" });
  const said = make("p", { class: "said", role: "status" });
  const time = make("output", { class: "time", "aria-live": "off" });
  const wave = make("div", { class: "lane-wave" });
  const image = make("img", { alt: "Spectrogram of the clip", hidden: "" });
  const head = make("i", { class: "head" });
  const range = make("input", {
    type: "range",
    min: "0",
    step: "0.01",
    "aria-label": "Position",
    input: () => send({ type: "seek", to: +range.value }),
  });
  const lane = make("div", { class: "lane" }, wave, image, head, range);
  const list = make("dl");
  const screen = make("div", { class: "screen" });
  const panel = make("div", { class: "facts-panel", id: "site-facts", hidden: "" }, list);
  const loop = key("Loop", "Loop", () => send({ type: "loop" }), { "aria-pressed": "false" });
  const more = key("Details", "Details", () => toggleFacts(), { "aria-expanded": "false", "aria-controls": "site-facts" });
  const bar = make(
    "section",
    { class: "transport", "aria-label": "Player", keydown: (/** @type {KeyboardEvent} */ event) => press(event) },
    go,
    what,
    lane,
    time,
    make(
      "div",
      { class: "keys" },
      key("Previous system", "↑", () => act({ type: "move", rows: -1 })),
      key("Next system", "↓", () => act({ type: "move", rows: 1 })),
      loop,
      more,
      key("Keys", "Keys", () => help()),
    ),
    key("Close the player", "×", () => close(), { class: "shut" }),
    said,
    panel,
    screen,
  );

  new ResizeObserver(() => {
    document.documentElement.style.setProperty("--site-bar", `${bar.isConnected ? bar.offsetHeight : 0}px`);
  }).observe(bar);

  /** @param {string} words */
  const say = (words) => {
    if (said.textContent !== words) said.textContent = words;
  };
  /** @param {number} seconds */
  const clock = (seconds) => `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
  const close = () => {
    const button = current() && buttons[current()?.id || ""];
    send({ type: "close" });
    button?.focus();
  };
  const toggleFacts = () => {
    panel.hidden = !panel.hidden;
    more.setAttribute("aria-expanded", String(!panel.hidden));
    describe();
    const clip = current();
    if (clip) requestAnimationFrame(() => buttons[clip.id].scrollIntoView({ block: "nearest" }));
  };

  /** @type {HTMLDialogElement | undefined} */
  let dialog;
  const help = () => {
    if (!dialog) {
      const rows = KEYS.map(([keys, does]) => make("div", {}, make("dt", {}, keys), make("dd", {}, does)));
      dialog = make(
        "dialog",
        { class: "help", "aria-labelledby": "site-help" },
        make("h2", { id: "site-help" }, "Keys of the player"),
        make("p", {}, "They act while the focus is on a clip of the grid or in the player."),
        make("dl", {}, ...rows),
        make("form", { method: "dialog" }, make("button", { class: "btn" }, "Close")),
      );
      document.body.append(/** @type {HTMLDialogElement} */ (dialog));
    }
    dialog?.showModal();
  };

  // Drawing.

  /** @param {Place} at @returns {[string, string]} names of the row and the column */
  const namesOf = (at) => {
    const table = /** @type {HTMLTableElement} */ (document.querySelector(`#${CSS.escape(at.bench)} table`));
    return [table.tBodies[0].rows[at.row].cells[0].title, table.tHead?.rows[0].cells[at.column + 1].firstChild?.textContent?.trim() || ""];
  };
  /** @param {Element} button */
  const titleOf = (button) => /** @type {HTMLElement | null} */ (button.closest(".bench"))?.dataset.title || "";
  const describe = () => {
    const clip = current();
    if (!clip || !state.at) return;
    const [picture, caption, pairs] = facts[state.at.bench][clip.id] || ["", "", []];
    image.hidden = panel.hidden || !picture;
    if (!image.hidden && image.getAttribute("src") !== picture) image.src = picture;
    const all = caption ? [["Caption", caption], ...pairs] : pairs;
    list.replaceChildren(...all.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  };
  const drawTime = () => {
    const seconds = media && loaded && sounds(state) && !media.seeking ? media.currentTime : state.position;
    const share = state.seconds ? Math.min(seconds / state.seconds, 1) : 0;
    bar.style.setProperty("--site-at", `${share * 100}%`);
    time.textContent = `${clock(seconds)} / ${clock(state.seconds)}`;
    if (document.activeElement !== range || sounds(state)) range.value = String(seconds);
    range.setAttribute("aria-valuetext", `${seconds.toFixed(1)} of ${state.seconds.toFixed(1)} seconds`);
  };
  let frame = 0;
  const tick = () => {
    drawTime();
    frame = sounds(state) ? requestAnimationFrame(tick) : 0;
  };

  /** @param {PlayerState} before */
  const show = (before) => {
    drive(before);
    const clip = current();
    const was = clipAt(before, before.at);
    if (clip !== was || state.status !== before.status || state.wants !== before.wants) {
      if (was && was !== clip) mark(buttons[was.id], false, false);
      if (clip) mark(buttons[clip.id], true, sounds(state));
      go.setAttribute("aria-pressed", String(sounds(state)));
      go.setAttribute("aria-label", sounds(state) ? "Pause" : "Play");
    }
    if (state.failures !== before.failures) drawFailures(before);
    if (clip !== was) {
      if (!clip) bar.remove();
      else if (!bar.isConnected) document.body.append(bar);
      document.body.classList.toggle("has-player", !!clip);
      if (clip && state.at) {
        const button = buttons[clip.id];
        const [system, point] = namesOf(state.at);
        const row = /** @type {HTMLTableRowElement} */ (button.closest("tr"));
        bar.className = `transport ${row.className}`;
        what.replaceChildren(
          make("b", {}, ...row.cells[0].cloneNode(true).childNodes),
          ` ${point} `,
          make("small", {}, titleOf(button)),
        );
        const drawing = button.parentElement?.querySelector("svg");
        if (drawing) {
          const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
          copy.setAttribute("width", "100%");
          wave.replaceChildren(copy);
        }
        screen.replaceChildren(..."video" in button.dataset && media ? [media] : []);
        describe();
        say(`${system}, ${point}`);
      }
    }
    if (state.seconds !== before.seconds) range.max = String(state.seconds);
    if (state.loop !== before.loop) loop.setAttribute("aria-pressed", String(state.loop));
    if (state.status === "failed" && clip) say(state.failures[clip.id]);
    if (sounds(state)) frame ||= requestAnimationFrame(tick);
    drawTime();
  };
  /** @param {HTMLElement} button @param {boolean} on @param {boolean} playing */
  const mark = (button, on, playing) => {
    button.parentElement?.classList.toggle("on", on);
    button.setAttribute("aria-pressed", String(playing));
  };
  /** @param {PlayerState} before */
  const drawFailures = (before) => {
    for (const id of Object.keys(before.failures))
      if (!state.failures[id]) buttons[id].closest("td")?.querySelector(".err")?.remove();
    for (const [id, why] of Object.entries(state.failures))
      if (!before.failures[id]) buttons[id].closest("td")?.append(make("span", { class: "err" }, why));
  };

  // What the listener does.

  /** @param {Element} bench */
  const learn = (bench) => {
    if (state.benches[bench.id]) return;
    facts[bench.id] = JSON.parse(bench.querySelector("script")?.textContent || "{}");
    const rows = Array.from(bench.querySelectorAll("tbody tr"), (row) =>
      Array.from(row.querySelectorAll("td"), (cell) => {
        const button = /** @type {HTMLElement | null} */ (cell.querySelector("[data-src]"));
        if (!button) return null;
        buttons[button.id] = button;
        return { id: button.id, seconds: Number(button.dataset.s) };
      }),
    );
    send({ type: "bench", id: bench.id, rows });
  };
  /** @param {Element | null | undefined} button @returns {Place | undefined} */
  const placeOf = (button) => {
    const bench = button?.closest(".bench");
    const cell = /** @type {HTMLTableCellElement | null | undefined} */ (button?.closest("td"));
    if (!bench || !cell) return undefined;
    learn(bench);
    const row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
    return { bench: bench.id, row: row.sectionRowIndex, column: cell.cellIndex - 1 };
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target === range && /^Arrow|^Home|^End|^Page/.test(event.key)) return;
    const inGrid = target.matches("[data-src]");
    const from = inGrid ? placeOf(target) : undefined;
    const does = KEYED[event.shiftKey && event.key.startsWith("Arrow") ? `Shift${event.key}` : event.key.toLowerCase()];
    const digit = /^[1-9]$/.test(event.key);
    if (!does && !digit) return;
    event.preventDefault();
    if (digit) act({ type: "row", row: Number(event.key) - 1, from });
    else does(from);
    const clip = current();
    if (inGrid && clip && (digit || event.key.startsWith("Arrow"))) buttons[clip.id].focus();
  };
  /** @type {Record<string, (from?: Place) => void>} */
  const KEYED = {
    arrowup: (from) => act({ type: "move", rows: -1, from }),
    arrowdown: (from) => act({ type: "move", rows: 1, from }),
    arrowleft: (from) => act({ type: "move", columns: -1, from }),
    arrowright: (from) => act({ type: "move", columns: 1, from }),
    ShiftArrowLeft: () => act({ type: "nudge", by: -NUDGE_S }),
    ShiftArrowRight: () => act({ type: "nudge", by: NUDGE_S }),
    ",": () => act({ type: "nudge", by: -NUDGE_S }),
    ".": () => act({ type: "nudge", by: NUDGE_S }),
    l: () => send({ type: "loop" }),
    d: () => current() && toggleFacts(),
    "?": help,
    escape: close,
  };
  addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.matches(".bench [data-src]")) press(event);
  });

  site.ready("bench", (how, button, extra) => {
    const at = placeOf(button);
    if (!at) return;
    if (how === "key") press(extra);
    else if (how === "select") act({ type: "select", at });
    else {
      if (extra) {
        media = adopt(extra);
        loaded = adopted = button.id;
      }
      button.focus({ preventScroll: true });
      act({ type: "press", at });
      if (extra?.error) fail(extra.error.code);
      else if (extra && !extra.paused && extra.readyState > HTMLMediaElement.HAVE_CURRENT_DATA)
        send({ type: "playing", id: button.id });
    }
  });
})();
