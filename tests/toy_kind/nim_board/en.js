// The texts of Nim in English.

export const TEXTS = {
  "title": "Nim",
  "rules": "<h3>Nim</h3><p>Throw the die and take at most so many stones. The last stone wins.</p>",
  "legend": "A disc is a stone.",
  "color.Amber": "Amber",
  "color.Jade": "Jade",
  "stone": "stone {number}",
  "there": "there",
  "stones": { one: "{count} stone", other: "{count} stones" },
  "prompt": { one: "Take one stone.", other: "Take up to {count} stones." },
  "reason.last_stone": "The last stone is taken.",
  "code.too_many": "The die allows fewer stones.",
};
