// Nim with a die: the stones of a heap in a row. Choosing the third stone takes three.

const cellAt = (number, stones) => ({
  key: String(number),
  name: `stone ${number}`,
  marks: [],
  pieces: number <= stones ? [{ marks: ["stone"], text: "there" }] : [],
  label: String(number),
});

const throws = {
  things: "die",
  lying: ({ dice }) => (dice === null ? null : [dice]),
  text: ({ dice }) => String(dice),
  read: async ({ below }) => [(await below(6)) + 1],
};

export const board = {
  style: ".stone, .Amber, .Jade { --fill: #777; --on: #fff; } .Jade { --fill: #2f8f5b; }",
  rules: "<h3>Nim</h3><p>Throw the die and take at most so many stones. The last stone wins.</p>",
  title: "Nim",
  colors: ["Amber", "Jade"],
  throws,
  decisive: 1,
  sizes: { "15 stones": { stones: 15 }, "5 stones": { stones: 5 } },
  usualSize: "15 stones",
  rankedBy: "stones",
  start: (options) => ({ options, stones: options.stones, dice: null }),
  rows: ({ options, stones }) => [
    Array.from({ length: options.stones }, (_, at) => cellAt(at + 1, stones)),
  ],
  path: ({ take }) => [String(take)],
  touched: ({ take }) => [String(take)],
  tried: (_, key) => ({ take: Number(key) }),
  prompt: ({ dice }) => `take up to ${dice}`,
  reasons: { last_stone: "the last stone is taken" },
  legend: "A disc is a stone.",
  gain: (before, after) => `${before.stones - after.stones} stones`,
};
