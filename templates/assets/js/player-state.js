// @ts-check
"use strict";
/* What the player knows, as plain data, and the one function that changes it. No DOM, no clock: the same
   state and action give the same answer, and an action that changes nothing gives the same object back. */

/**
 * One playable clip. `seconds` is its length.
 * @typedef {{ id: string, seconds: number }} Clip
 *
 * Where the player stands: a bench, and a row (system) and column (point) in it.
 * @typedef {{ bench: string, row: number, column: number }} Place
 *
 * `wants` is what the listener asked for last (a clip that ended leaves it, so that the next one plays),
 * `status` what the media element made of it. `load` and `seek` count
 * the times the media must be fetched anew, or must jump to `position`.
 * @typedef {object} PlayerState
 * @property {Record<string, (Clip | null)[][]>} benches
 * @property {Place | null} at
 * @property {"play" | "pause"} wants
 * @property {"idle" | "waiting" | "ready" | "ended" | "failed"} status
 * @property {number} position  in seconds
 * @property {number} seconds   length of the clip, 0 if none
 * @property {boolean} loop
 * @property {number} load
 * @property {number} seek
 * @property {Record<string, string>} failures  words by clip id
 *
 * @typedef {{ type: "bench", id: string, rows: (Clip | null)[][] }
 *   | { type: "press", at: Place }
 *   | { type: "select", at: Place }
 *   | { type: "move", rows?: number, columns?: number, from?: Place }
 *   | { type: "row", row: number, from?: Place }
 *   | { type: "toggle" } | { type: "loop" } | { type: "close" }
 *   | { type: "seek", to: number } | { type: "nudge", by: number }
 *   | { type: "time", id: string, position: number }
 *   | { type: "length", id: string, seconds: number }
 *   | { type: "playing" | "waiting" | "resumed" | "paused" | "ended", id: string }
 *   | { type: "failed", id: string, why: string }} PlayerAction
 */

const TorusPlayer = (() => {
  /** @type {Readonly<PlayerState>} */
  const EMPTY = Object.freeze({
    benches: {},
    at: null,
    wants: "pause",
    status: "idle",
    position: 0,
    seconds: 0,
    loop: false,
    load: 0,
    seek: 0,
    failures: {},
  });

  /**
   * The clip at a place, or null.
   * @param {PlayerState} state
   * @param {Place | null | undefined} at
   * @returns {Clip | null}
   */
  const clipAt = (state, at) => (at && state.benches[at.bench]?.[at.row]?.[at.column]) || null;

  /** @param {Place | null} a @param {Place | null} b */
  const same = (a, b) => !!a && !!b && a.bench === b.bench && a.row === b.row && a.column === b.column;

  /** @param {number} value @param {number} high */
  const within = (value, high) => (Number.isFinite(value) ? Math.min(Math.max(value, 0), high) : 0);

  /** @param {Record<string, string>} failures @param {string} id */
  const without = (failures, id) =>
    id in failures ? Object.fromEntries(Object.entries(failures).filter(([key]) => key !== id)) : failures;

  /**
   * Go to another clip. The moment is kept inside a bench, unless the clip that was left had ended or the new
   * one is too short.
   * @param {PlayerState} state
   * @param {Place} at
   * @param {"play" | "pause"} wants
   * @returns {PlayerState}
   */
  const go = (state, at, wants) => {
    const clip = clipAt(state, at);
    if (!clip) return state;
    const keeps = state.at?.bench === at.bench && state.status !== "ended" && state.position < clip.seconds;
    return {
      ...state,
      at,
      wants,
      status: wants === "play" ? "waiting" : "idle",
      position: keeps ? state.position : 0,
      seconds: clip.seconds,
      load: state.load + 1,
      failures: without(state.failures, clip.id),
    };
  };

  /** @param {PlayerState} state @returns {PlayerState} */
  const toggle = (state) => {
    const clip = clipAt(state, state.at);
    if (!clip) return state;
    if (state.status === "failed")
      return {
        ...state,
        wants: "play",
        status: "waiting",
        load: state.load + 1,
        failures: without(state.failures, clip.id),
      };
    if (state.status === "ended")
      return { ...state, wants: "play", status: "waiting", position: 0, seek: state.seek + 1 };
    if (sounds(state)) return { ...state, wants: "pause" };
    return { ...state, wants: "play", status: state.status === "idle" ? "waiting" : state.status };
  };

  /** Whether sound is on its way or heard. @param {PlayerState} state */
  const sounds = (state) => state.wants === "play" && (state.status === "waiting" || state.status === "ready");

  /** @param {PlayerState} state @param {number} to @returns {PlayerState} */
  const seek = (state, to) => {
    if (!clipAt(state, state.at) || !Number.isFinite(to)) return state;
    const status = state.status === "ended" ? "ready" : state.status;
    const wants = state.status === "ended" ? "pause" : state.wants;
    return { ...state, status, wants, position: within(to, state.seconds), seek: state.seek + 1 };
  };

  /**
   * The nearest clip in a direction, empty cells passed over, or null at the edge.
   * @param {PlayerState} state
   * @param {Place} from
   * @param {number} rows
   * @param {number} columns
   * @returns {Place | null}
   */
  const step = (state, from, rows, columns) => {
    const bench = state.benches[from.bench];
    if (!bench || (!rows && !columns)) return null;
    let { row, column } = from;
    do {
      row += rows;
      column += columns;
      if (!bench[row] || column < 0 || column >= bench[row].length) return null;
    } while (!bench[row][column]);
    return { bench: from.bench, row, column };
  };

  /**
   * The state after an action.
   * @param {PlayerState} state
   * @param {PlayerAction} action
   * @returns {PlayerState}
   */
  const reduce = (state, action) => {
    switch (action.type) {
      case "bench":
        if (state.benches[action.id]) return state;
        return { ...state, benches: { ...state.benches, [action.id]: action.rows } };
      case "press":
        return same(state.at, action.at) ? toggle(state) : go(state, action.at, "play");
      case "select":
        return same(state.at, action.at) ? state : go(state, action.at, sounds(state) ? "play" : "pause");
      case "move": {
        const from = action.from || state.at;
        const at = from && step(state, from, action.rows || 0, action.columns || 0);
        return at && !same(at, state.at) ? go(state, at, state.wants) : state;
      }
      case "row": {
        const from = action.from || state.at;
        if (!from) return state;
        const at = { ...from, row: action.row };
        return same(at, state.at) ? state : go(state, at, state.wants);
      }
      case "toggle":
        return toggle(state);
      case "seek":
        return seek(state, action.to);
      case "nudge":
        return seek(state, state.position + action.by);
      case "loop":
        return { ...state, loop: !state.loop };
      case "close":
        return state.at ? { ...state, at: null, wants: "pause", status: "idle", position: 0, seconds: 0 } : state;
      default:
        return hear(state, action);
    }
  };

  /**
   * What the media element reports. News of a clip that was left behind changes nothing.
   * @param {PlayerState} state
   * @param {PlayerAction} action
   * @returns {PlayerState}
   */
  const hear = (state, action) => {
    if (!("id" in action) || clipAt(state, state.at)?.id !== action.id || state.status === "failed") return state;
    switch (action.type) {
      case "time": {
        const position = within(action.position, state.seconds);
        return position === state.position || state.status === "ended" ? state : { ...state, position };
      }
      case "length":
        if (!(action.seconds > 0) || action.seconds === Infinity || action.seconds === state.seconds) return state;
        return { ...state, seconds: action.seconds, position: within(state.position, action.seconds) };
      case "playing":
        return state.status === "ready" ? state : { ...state, status: "ready" };
      case "resumed":
        return state.wants === "play" ? state : { ...state, wants: "play" };
      case "waiting":
        return state.wants === "play" && state.status === "ready" ? { ...state, status: "waiting" } : state;
      case "paused":
        return state.wants === "play" && state.status === "ready" ? { ...state, wants: "pause" } : state;
      case "ended":
        return { ...state, status: "ended", position: state.seconds };
      case "failed":
        return { ...state, status: "failed", failures: { ...state.failures, [action.id]: action.why } };
      default:
        return state;
    }
  };

  return Object.freeze({ EMPTY, reduce, clipAt, sounds });
})();

if (typeof module !== "undefined") Object.assign(module, { exports: TorusPlayer });
