// The texts of Nim in Polish.

export const TEXTS = {
  "title": "Nim",
  "rules": "<h3>Nim</h3><p>Rzuć kością i zabierz najwyżej tyle kamieni. Ostatni kamień wygrywa.</p>",
  "legend": "Krążek oznacza kamień.",
  "color.Amber": "Bursztyn",
  "color.Jade": "Jadeit",
  "stone": "kamień {number}",
  "there": "jest",
  "stones": { one: "{count} kamień", few: "{count} kamienie", many: "{count} kamieni" },
  "prompt": { one: "Zabierz jeden kamień.", few: "Zabierz najwyżej {count} kamienie.", many: "Zabierz najwyżej {count} kamieni." },
  "reason.last_stone": "Ostatni kamień został zabrany.",
  "code.too_many": "Kość pozwala na mniej kamieni.",
};
