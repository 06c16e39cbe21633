// @ts-check
"use strict";
/* The media element of the page. It holds one clip at a time and tells what becomes of it; news of a clip that
   was left is not told. Elements are made on demand, one for sound and one for pictures. */

/**
 * @typedef {object} PlayerMedia
 * @property {(element: HTMLMediaElement, id: string) => void} adopt  take over an element that already holds a clip
 * @property {() => void} report  tell what an adopted element has been through
 * @property {(id: string, src: string, kind: "audio" | "video", at: number, loop: boolean) => void} load  fetch and play
 * @property {() => void} drop  stop, and hold nothing
 * @property {() => void} play
 * @property {() => void} pause
 * @property {(to: number) => void} seek
 * @property {(on: boolean) => void} loop
 * @property {() => number | null} now  the moment that is heard, null while there is none
 * @property {() => { id: string, paused: boolean, element: HTMLMediaElement | null }} held
 */

/**
 * @param {(action: PlayerAction) => void} tell
 * @returns {PlayerMedia}
 */
const torusMedia = (tell) => {
  const SLACK_S = 0.05;
  /** @type {Record<string, string>} */
  const WORDS = {
    2: "The connection broke while this clip was loading. Press play to try again.",
    3: "This clip is damaged and cannot be played.",
    4: "This clip could not be loaded: its file is missing, or this browser cannot play it.",
    blocked: "The browser wants another press before it plays.",
  };
  /** @type {Record<string, HTMLMediaElement>} */
  const elements = {};
  /** @type {HTMLMediaElement | null} */
  let element = null;
  let id = "";
  let start = 0;

  /** @param {number | string} why */
  const fail = (why) => tell({ type: "failed", id, why: WORDS[why] || WORDS[4] });

  /** @param {HTMLMediaElement} it */
  const wire = (it) => {
    elements[it.localName] = it;
    it.preload = "auto";
    if (it instanceof HTMLVideoElement) it.playsInline = true;
    /** @param {string} name @param {() => void} handler */
    const on = (name, handler) => it.addEventListener(name, () => it === element && id && handler());
    on("playing", () => tell({ type: "playing", id }));
    on("waiting", () => tell({ type: "waiting", id }));
    on("play", () => it.paused || tell({ type: "resumed", id }));
    on("pause", () => it.paused && !it.ended && tell({ type: "paused", id }));
    on("ended", () => tell({ type: "ended", id }));
    on("timeupdate", () => it.seeking || tell({ type: "time", id, position: it.currentTime }));
    on("loadedmetadata", () => {
      tell({ type: "length", id, seconds: it.duration });
      // Where a moment set before the length is known is forgotten, it is set again.
      if (Math.abs(it.currentTime - start) > SLACK_S) it.currentTime = Math.min(start, it.duration);
    });
    on("error", () => fail(it.error?.code || 4));
    return it;
  };

  const play = () => {
    const asked = id;
    element?.play().catch((error) => {
      // An abort is a switch to the next clip; all else the error event tells.
      if (asked === id && error.name === "NotAllowedError") fail("blocked");
    });
  };

  return {
    adopt(it, held) {
      element = wire(it);
      id = held;
      start = it.currentTime;
    },
    report() {
      if (element?.error) fail(element.error.code);
      else if (element && !element.paused && element.readyState > HTMLMediaElement.HAVE_CURRENT_DATA)
        tell({ type: "playing", id });
    },
    load(clip, src, kind, at, loop) {
      element?.pause();
      element = elements[kind] || wire(document.createElement(kind));
      id = clip;
      start = at;
      element.src = src;
      element.loop = loop;
      if (at) element.currentTime = at;
      play();
    },
    drop() {
      id = "";
      element?.pause();
    },
    play,
    pause: () => element?.pause(),
    seek(to) {
      start = to;
      if (element) element.currentTime = to;
    },
    loop(on) {
      if (element) element.loop = on;
    },
    now: () => (element && id && !element.seeking ? element.currentTime : null),
    held: () => ({ id, paused: !element || element.paused, element }),
  };
};
