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
    ["D", "show or hide the spectrogram and facts of the clip"],
    ["?", "this help"],
    ["Esc", "close the player"],
  ];

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
    const now = sounds(state) ? media.now() : null;
    if (now !== null) send({ type: "time", id: media.held().id, position: now });
    send(action);
  };
  const current = () => clipAt(state, state.at);

  const media = torusMedia(send);
  /** The clip that began to play before this script was there. */
  let adopted = "";
  let slow = 0;

  /** @param {PlayerState} before */
  const drive = (before) => {
    const clip = current();
    const moved = state.load !== before.load || !clip;
    if (moved && clip?.id !== adopted) media.drop();
    adopted = "";
    if (!clip) return;
    const held = media.held();
    if (held.id !== clip.id) {
      const { src = "", video } = buttons[clip.id].dataset;
      if (sounds(state)) media.load(clip.id, src, video === undefined ? "audio" : "video", state.position, state.loop);
    } else {
      if (state.seek !== before.seek) media.seek(state.position);
      if (state.loop !== before.loop) media.loop(state.loop);
      // Only a change of mind plays: at its end the element is paused before it says that it ended.
      const asked = !sounds(before) || state.seek !== before.seek;
      if (asked && sounds(state) && held.paused) media.play();
      else if (state.wants === "pause" && !held.paused) media.pause();
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
    // After a seek by pointer the keys are those of the player again.
    pointerup: () => go.focus({ preventScroll: true }),
  });
  const lane = make("div", { class: "lane" }, wave, image, head, range);
  const list = make("dl");
  const screen = make("div", { class: "screen" });
  const panel = make("div", { class: "facts-panel", id: "site-facts", hidden: "" }, list);
  const loop = key("Loop", "Loop", () => send({ type: "loop" }), { "aria-pressed": "false" });
  const more = key("Spectrogram", "Spectrogram", () => toggleFacts(), { "aria-expanded": "false", "aria-controls": "site-facts" });
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

  /** Keep the height of the bar free when something scrolls into view. */
  const makeRoom = () => document.documentElement.style.setProperty("--site-bar", `${bar.isConnected ? bar.offsetHeight : 0}px`);
  new ResizeObserver(makeRoom).observe(bar);

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
    makeRoom();
    const clip = current();
    if (clip) buttons[clip.id].scrollIntoView({ block: "nearest" });
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
    const seconds = (sounds(state) ? media.now() : null) ?? state.position;
    const share = state.seconds ? Math.min(seconds / state.seconds, 1) : 0;
    bar.style.setProperty("--site-at", `${share * 100}%`);
    time.textContent = `${clock(seconds)} / ${clock(state.seconds)}`;
    range.value = String(seconds);
    range.setAttribute("aria-valuetext", `${Math.round(seconds)} of ${Math.round(state.seconds)} seconds`);
  };
  let frame = 0;
  const tick = () => {
    drawTime();
    frame = sounds(state) ? requestAnimationFrame(tick) : 0;
  };

  const showPicture = () => {
    const { id, element } = media.held();
    const shown = id && id === current()?.id && element instanceof HTMLVideoElement;
    if (screen.firstChild !== (shown ? element : null)) screen.replaceChildren(...(shown ? [element] : []));
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
        describe();
        say(`${system}, ${point}`);
      }
    }
    showPicture();
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
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target === range && /^Arrow|^Home|^End|^Page|^ $/.test(event.key)) {
      const slide = SLIDE[event.key];
      if (slide) {
        event.preventDefault();
        act(slide);
      }
      return;
    }
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
  /** A slider moves by its step, here far too small for keys. @type {Record<string, PlayerAction>} */
  const SLIDE = {
    ArrowLeft: { type: "nudge", by: -NUDGE_S },
    ArrowDown: { type: "nudge", by: -NUDGE_S },
    ArrowRight: { type: "nudge", by: NUDGE_S },
    ArrowUp: { type: "nudge", by: NUDGE_S },
    " ": { type: "toggle" },
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
      button.focus({ preventScroll: true });
      if (extra) media.adopt(extra, (adopted = button.id));
      act({ type: "press", at });
      if (extra) media.report();
    }
  });
})();
