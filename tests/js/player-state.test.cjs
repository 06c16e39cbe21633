"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { describe, test } = require("node:test");

const { EMPTY, clipAt, reduce, sounds } = require(
  path.join(__dirname, "..", "..", "templates", "assets", "js", "player-state.js"),
);

const clip = (id, seconds = 8) => ({ id, seconds });
const ROWS = [
  [clip("a1"), clip("a2"), clip("a3", 2)],
  [clip("b1"), null, clip("b3")],
  [null, null, null],
  [clip("d1"), clip("d2"), clip("d3")],
];
const at = (row, column, bench = "grid") => ({ bench, row, column });
const run = (...actions) => actions.reduce(reduce, reduce(EMPTY, { type: "bench", id: "grid", rows: ROWS }));
const playing = (row, column, position = 0) => {
  const state = run({ type: "press", at: at(row, column) });
  const { id } = clipAt(state, state.at);
  return [{ type: "playing", id }, { type: "time", id, position }].reduce(reduce, state);
};
const freeze = (value) => {
  if (value && typeof value === "object") Object.values(value).forEach(freeze);
  return Object.freeze(value);
};

describe("pressing", () => {
  test("a clip fetches it and waits for it from the start", () => {
    const state = run({ type: "press", at: at(0, 0) });
    assert.deepEqual(
      [state.at, state.wants, state.status, state.position, state.seconds, state.load],
      [at(0, 0), "play", "waiting", 0, 8, 1],
    );
    assert.ok(sounds(state));
  });

  test("the clip that plays pauses it, and plays on from there", () => {
    const paused = reduce(playing(0, 0, 3), { type: "press", at: at(0, 0) });
    assert.deepEqual([paused.wants, paused.position], ["pause", 3]);
    const resumed = reduce(paused, { type: "press", at: at(0, 0) });
    assert.deepEqual([resumed.wants, resumed.position, resumed.load], ["play", 3, 1]);
  });

  test("an empty cell or one outside the grid changes nothing", () => {
    const state = playing(0, 0, 3);
    for (const place of [at(1, 1), at(9, 0), at(0, -1), at(0, 0, "elsewhere")])
      assert.equal(reduce(state, { type: "press", at: place }), state);
  });

  test("a clip that ended plays it again from the start", () => {
    const state = [{ type: "ended", id: "a1" }, { type: "toggle" }].reduce(reduce, playing(0, 0, 7.9));
    assert.deepEqual([state.position, state.status, state.seek], [0, "waiting", 1]);
  });

  test("a clip that failed fetches it once more and forgets the failure", () => {
    const failed = reduce(playing(0, 0, 2), { type: "failed", id: "a1", why: "gone" });
    assert.deepEqual([failed.status, failed.failures, sounds(failed)], ["failed", { a1: "gone" }, false]);
    const again = reduce(failed, { type: "press", at: at(0, 0) });
    assert.deepEqual([again.status, again.failures, again.load, again.position], ["waiting", {}, 2, 2]);
  });
});

describe("switching", () => {
  test("to another system keeps the moment and plays on", () => {
    const state = reduce(playing(0, 0, 3.25), { type: "move", rows: 1 });
    assert.deepEqual([state.at, state.position, state.wants, state.load], [at(1, 0), 3.25, "play", 2]);
  });

  test("while paused keeps the moment and fetches nothing to play", () => {
    const state = [{ type: "toggle" }, { type: "move", rows: 1 }].reduce(reduce, playing(0, 0, 3));
    assert.deepEqual([state.at, state.position, state.wants, state.status], [at(1, 0), 3, "pause", "idle"]);
  });

  test("passes over rows and columns without a clip", () => {
    assert.deepEqual(reduce(playing(1, 0), { type: "move", rows: 1 }).at, at(3, 0));
    assert.deepEqual(reduce(playing(1, 0), { type: "move", columns: 1 }).at, at(1, 2));
  });

  test("stops at the edge of the grid", () => {
    const top = playing(0, 0, 1);
    assert.equal(reduce(top, { type: "move", rows: -1 }), top);
    assert.equal(reduce(top, { type: "move", columns: -1 }), top);
    const last = playing(3, 2, 1);
    assert.equal(reduce(last, { type: "move", rows: 1 }), last);
  });

  test("goes from the clip in focus when that is another than the one that plays", () => {
    const state = reduce(playing(0, 0, 1), { type: "move", columns: 1, from: at(3, 0) });
    assert.deepEqual(state.at, at(3, 1));
  });

  test("to a shorter clip whose end has passed starts it from the beginning", () => {
    assert.equal(reduce(playing(0, 1, 5), { type: "move", columns: 1 }).position, 0);
    assert.equal(reduce(playing(0, 1, 1.5), { type: "move", columns: 1 }).position, 1.5);
  });

  test("after the end plays the next from its start", () => {
    const state = [{ type: "ended", id: "a1" }, { type: "move", rows: 1 }].reduce(reduce, playing(0, 0, 8));
    assert.deepEqual([state.at, state.position, sounds(state)], [at(1, 0), 0, true]);
  });

  test("after a failure goes on with the next", () => {
    const state = [{ type: "failed", id: "a1", why: "gone" }, { type: "move", rows: 1 }].reduce(reduce, playing(0, 0, 2));
    assert.deepEqual([sounds(state), state.failures], [true, { a1: "gone" }]);
  });

  test("by number goes to that row and ignores rows that are not there", () => {
    const state = playing(0, 0, 4);
    assert.deepEqual(reduce(state, { type: "row", row: 3 }).at, at(3, 0));
    assert.equal(reduce(state, { type: "row", row: 2 }), state);
    assert.equal(reduce(state, { type: "row", row: 8 }), state);
  });

  test("to another bench starts from the beginning", () => {
    const state = [
      { type: "bench", id: "other", rows: [[clip("o1")]] },
      { type: "press", at: at(0, 0, "other") },
    ].reduce(reduce, playing(0, 0, 4));
    assert.equal(state.position, 0);
  });

  test("by selecting plays on only if something is playing", () => {
    assert.equal(run({ type: "select", at: at(0, 1) }).wants, "pause");
    assert.equal(reduce(playing(0, 0, 1), { type: "select", at: at(0, 1) }).wants, "play");
    const ended = reduce(playing(0, 0, 8), { type: "ended", id: "a1" });
    assert.equal(reduce(ended, { type: "select", at: at(0, 1) }).wants, "pause");
  });
});

describe("seeking", () => {
  test("stays inside the clip", () => {
    const state = playing(0, 0, 3);
    for (const [to, position] of [[-5, 0], [4.5, 4.5], [99, 8]])
      assert.equal(reduce(state, { type: "seek", to }).position, position);
    assert.equal(reduce(state, { type: "nudge", by: -1 }).position, 2);
    assert.equal(reduce(state, { type: "seek", to: NaN }), state);
  });

  test("makes the element jump each time, even to the same moment", () => {
    const state = playing(0, 0, 3);
    const once = reduce(state, { type: "seek", to: 5 });
    assert.equal(reduce(once, { type: "seek", to: 5 }).seek, state.seek + 2);
  });

  test("in a clip that ended leaves it paused there", () => {
    const state = [{ type: "ended", id: "a1" }, { type: "seek", to: 2 }].reduce(reduce, playing(0, 0, 8));
    assert.deepEqual([state.position, state.wants, state.status], [2, "pause", "ready"]);
  });

  test("with nothing selected does nothing", () => {
    const state = run();
    assert.equal(reduce(state, { type: "nudge", by: 1 }), state);
    assert.equal(reduce(state, { type: "toggle" }), state);
    assert.equal(reduce(state, { type: "move", rows: 1 }), state);
  });
});

describe("the media element", () => {
  test("is not heard about a clip that was left behind", () => {
    const state = reduce(playing(0, 0, 3), { type: "move", rows: 1 });
    for (const type of ["playing", "waiting", "paused", "resumed", "ended"])
      assert.equal(reduce(state, { type, id: "a1" }), state);
    assert.equal(reduce(state, { type: "time", id: "a1", position: 7 }), state);
    assert.equal(reduce(state, { type: "failed", id: "a1", why: "gone" }), state);
  });

  test("may pause and resume by itself, as a headset's button makes it", () => {
    const paused = reduce(playing(0, 0, 3), { type: "paused", id: "a1" });
    assert.equal(paused.wants, "pause");
    assert.equal(reduce(paused, { type: "resumed", id: "a1" }).wants, "play");
  });

  test("knows the length better than the page, if it knows one", () => {
    const state = playing(0, 0, 7.9);
    const shorter = reduce(state, { type: "length", id: "a1", seconds: 7.5 });
    assert.deepEqual([shorter.seconds, shorter.position], [7.5, 7.5]);
    for (const seconds of [NaN, Infinity, 0, 8])
      assert.equal(reduce(state, { type: "length", id: "a1", seconds }), state);
  });

  test("says that it waits only while it should play", () => {
    assert.equal(reduce(playing(0, 0, 3), { type: "waiting", id: "a1" }).status, "waiting");
    const paused = reduce(playing(0, 0, 3), { type: "toggle" });
    assert.equal(reduce(paused, { type: "waiting", id: "a1" }), paused);
  });
});

test("closing forgets the selection and keeps the loop", () => {
  const state = [{ type: "loop" }, { type: "close" }].reduce(reduce, playing(0, 0, 3));
  assert.deepEqual([state.at, state.wants, state.position, state.loop], [null, "pause", 0, true]);
  assert.equal(reduce(state, { type: "close" }), state);
});

test("a bench is learnt once", () => {
  const state = run();
  assert.equal(reduce(state, { type: "bench", id: "grid", rows: [] }), state);
});

/** A small seeded generator, so that a failing walk can be walked again. */
const seeded = (seed) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

const IDS = ["a1", "a2", "a3", "b1", "b3", "d1", "d2", "d3", "o1", "nobody"];
const anyAction = (next) => {
  const int = (low, high) => low + Math.floor(next() * (high - low + 1));
  const pick = (list) => list[int(0, list.length - 1)];
  const place = () => at(int(-1, 4), int(-1, 3), pick(["grid", "grid", "other", "none"]));
  const id = pick(IDS);
  return pick([
    { type: "press", at: place() },
    { type: "select", at: place() },
    { type: "move", rows: int(-1, 1), columns: 0, from: next() < 0.3 ? place() : undefined },
    { type: "move", columns: int(-1, 1) },
    { type: "row", row: int(-1, 9) },
    { type: pick(["toggle", "toggle", "loop", "close"]) },
    { type: "seek", to: pick([-1, 0, next() * 9, 99, NaN]) },
    { type: "nudge", by: pick([-1, 1]) },
    { type: "time", id, position: pick([next() * 9, NaN, -1]) },
    { type: "length", id, seconds: pick([next() * 9, NaN, Infinity, 0]) },
    { type: pick(["playing", "waiting", "paused", "resumed", "ended"]), id },
    { type: "failed", id, why: "it did" },
  ]);
};
const COUNTERS = ["load", "seek"];

test("any walk keeps the state whole", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = seeded(seed);
    let state = freeze(run({ type: "bench", id: "other", rows: [[clip("o1")]] }));
    for (let index = 0; index < 150; index++) {
      const action = freeze(anyAction(next));
      const told = `seed ${seed}, step ${index}: ${JSON.stringify(action)}`;
      const after = freeze(reduce(state, action));
      assert.deepEqual(JSON.parse(JSON.stringify(after)), after, `plain data, ${told}`);
      assert.deepEqual(reduce(state, action), after, `same again, ${told}`);
      assert.equal(after.at === null, clipAt(after, after.at) === null, `a clip where it stands, ${told}`);
      assert.ok(after.position >= 0 && after.position <= after.seconds, `inside the clip, ${told}`);
      assert.ok(["play", "pause"].includes(after.wants), told);
      if (!after.at) assert.deepEqual([after.status, after.wants, after.seconds], ["idle", "pause", 0], told);
      if (after.status === "failed") assert.ok(after.failures[clipAt(after, after.at).id], `says why, ${told}`);
      for (const name of COUNTERS) assert.ok(after[name] >= state[name] && after[name] <= state[name] + 1, told);
      if (after.at && state.at && after.at.bench === state.at.bench && after.load > state.load && state.status !== "ended")
        assert.ok([0, state.position].includes(after.position), `the moment stays, ${told}`);
      assert.equal(after.benches, state.benches, `benches stay, ${told}`);
      state = after;
    }
  }
});

test("down and up again is where it was", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const next = seeded(seed);
    const state = playing(next() < 0.5 ? 0 : 1, next() < 0.5 ? 0 : 2, next() * 2);
    const down = reduce(state, { type: "move", rows: 1 });
    if (down === state) continue;
    const back = reduce(down, { type: "move", rows: -1 });
    assert.deepEqual([back.at, back.position, back.wants], [state.at, state.position, state.wants]);
  }
});
