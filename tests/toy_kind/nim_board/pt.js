// The texts of Nim in Portuguese.

export const TEXTS = {
  "title": "Nim",
  "rules": "<h3>Nim</h3><p>Lance o dado e tire no máximo esse número de pedras. A última pedra ganha.</p>",
  "legend": "Um disco é uma pedra.",
  "color.Amber": "Âmbar",
  "color.Jade": "Jade",
  "stone": "pedra {number}",
  "there": "presente",
  "stones": { one: "{count} pedra", other: "{count} pedras" },
  "prompt": { one: "Tire uma pedra.", other: "Tire até {count} pedras." },
  "reason.last_stone": "A última pedra foi tirada.",
  "code.too_many": "O dado permite menos pedras.",
};
