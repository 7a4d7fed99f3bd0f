// Nim with a die: the stones of a heap in a row. Choosing the third stone takes three.

const createCell = (getText, number, stones) => ({
  key: String(number),
  name: getText("stone", { number: String(number) }),
  classNames: [],
  pieces: number <= stones ? [{ classNames: ["stone"], text: getText("there") }] : [],
  label: String(number),
});

const throws = {
  equipment: "die",
  getValues: ({ dice }) => (dice === null ? null : [dice]),
  describe: ({ dice }) => String(dice),
  compute: async ({ below }) => [(await below(6)) + 1],
};

export const createBoard = (getText) => ({
  style: ".stone, .Amber, .Jade { --fill: #777; --fill-text: #fff; } .Jade { --fill: #2f8f5b; }",
  colors: ["Amber", "Jade"],
  clock: { move: 120 },
  throws,
  autoPlayAfter: 1,
  sizes: { 5: { stones: 5 }, 15: { stones: 15 } },
  defaultSize: "15",
  nameSize: (id) => getText("stones", { count: Number(id) }),
  rankedBy: "stones",
  createStart: (options) => ({ options, stones: options.stones, dice: null }),
  createRows: ({ options, stones }) => [
    Array.from({ length: options.stones }, (_, index) => createCell(getText, index + 1, stones)),
  ],
  listCells: ({ take }) => [String(take)],
  getNotifyFields: (_, key) => ({ take: Number(key) }),
  prompt: ({ dice }) => getText("prompt", { count: dice }),
  describeGain: (before, after) => getText("stones", { count: before.stones - after.stones }),
});
