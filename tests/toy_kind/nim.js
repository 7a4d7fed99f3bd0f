// Nim with a die: the stones of a heap in a row. Choosing the third stone takes three.

const createCell = (number, stones) => ({
  key: String(number),
  name: `stone ${number}`,
  classNames: [],
  pieces: number <= stones ? [{ classNames: ["stone"], text: "there" }] : [],
  label: String(number),
});

const throws = {
  equipment: "die",
  getValues: ({ dice }) => (dice === null ? null : [dice]),
  describe: ({ dice }) => String(dice),
  compute: async ({ below }) => [(await below(6)) + 1],
};

export const board = {
  style: ".stone, .Amber, .Jade { --fill: #777; --fill-text: #fff; } .Jade { --fill: #2f8f5b; }",
  rules: "<h3>Nim</h3><p>Throw the die and take at most so many stones. The last stone wins.</p>",
  title: "Nim",
  colors: ["Amber", "Jade"],
  clock: { move: 120 },
  throws,
  autoPlayAfter: 1,
  sizes: { "15 stones": { stones: 15 }, "5 stones": { stones: 5 } },
  defaultSize: "15 stones",
  rankedBy: "stones",
  createStart: (options) => ({ options, stones: options.stones, dice: null }),
  createRows: ({ options, stones }) => [
    Array.from({ length: options.stones }, (_, index) => createCell(index + 1, stones)),
  ],
  listCells: ({ take }) => [String(take)],
  getNotifyFields: (_, key) => ({ take: Number(key) }),
  prompt: ({ dice }) => `Take up to ${dice} stones.`,
  reasons: { last_stone: "The last stone is taken." },
  legend: "A disc is a stone.",
  describeGain: (before, after) => `${before.stones - after.stones} stones`,
};
