// The texts of Tab in Polish.

export const TEXTS = {
  "title": "Tab",
  "legend": "Pionek pusty w środku jeszcze się nie ruszył, pełny jest w ruchu, a pionek z pierścieniem był już w ostatnim rzędzie.",
  "color.Blue": "Niebieskie",
  "color.Red": "Czerwone",
  "size": { one: "{count} kolumna", few: "{count} kolumny", many: "{count} kolumn" },
  "cell": "pole {number}",
  "piece.Blue.fresh": "niebieski pionek, jeszcze się nie ruszył",
  "piece.Blue.moved": "niebieski pionek, już się ruszył",
  "piece.Blue.veteran": "niebieski pionek, był w ostatnim rzędzie",
  "piece.Red.fresh": "czerwony pionek, jeszcze się nie ruszył",
  "piece.Red.moved": "czerwony pionek, już się ruszył",
  "piece.Red.veteran": "czerwony pionek, był w ostatnim rzędzie",
  "prompt.piece": "Wybierz pionek, który przesunie się o {throw}.",
  "prompt.destination": "Wybierz cel.",
  "progress": { one: "{count} pionek", few: "{count} pionki", many: "{count} pionków" },
  "gain": { one: "jedno bicie", few: "{count} bicia", many: "{count} bić" },
  "reason.all_captured": "Ostatni pionek został zbity.",
  "code.first_move": "Pierwszy ruch pionka wymaga rzutu 1, czyli Tab.",
  "code.blocked_row": "Pionek w ostatnim rzędzie stoi tam, dopóki masz pionki w swoim rzędzie początkowym.",
  "rules": `
<h3>Tab</h3>
<p>Zbij wszystkie pionki przeciwnika. W każdej kolejce rzuca się czterema patyczkami. Wartość to liczba jasnych stron zwróconych do góry; brak jasnych stron liczy się jako 6.</p>
<table>
  <thead><tr><th scope="col">Jasne strony</th><th scope="col">Nazwa</th><th scope="col">Wartość</th><th scope="col">Kolejny rzut</th><th scope="col">Szansa</th></tr></thead>
  <tbody>
    <tr><td>0</td><td>Sitteh</td><td>6</td><td>tak</td><td>6 %</td></tr>
    <tr><td>1</td><td>Tab</td><td>1</td><td>tak</td><td>25 %</td></tr>
    <tr><td>2</td><td>Itneyn</td><td>2</td><td>nie</td><td>38 %</td></tr>
    <tr><td>3</td><td>Telateh</td><td>3</td><td>nie</td><td>25 %</td></tr>
    <tr><td>4</td><td>Arba’ah</td><td>4</td><td>tak</td><td>6 %</td></tr>
  </tbody>
</table>
<ul>
  <li>Pierwszy ruch pionka wymaga rzutu 1, czyli Tab. Pionek pusty w środku jeszcze się nie ruszył; pionek z pierścieniem był już w ostatnim rzędzie.</li>
  <li>Pionki poruszają się wzdłuż rzędów tak, jak pokazują strzałki na planszy. Z trzeciego rzędu pionek idzie do czwartego albo wraca do drugiego: wybór należy do Ciebie.</li>
  <li>Pionek wchodzi do ostatniego rzędu tylko raz i stoi tam, dopóki masz pionki w swoim rzędzie początkowym. Nigdy nie wraca do rzędu początkowego.</li>
  <li>Ruch na pole z pionkiem przeciwnika zbija ten pionek. Nie można wejść na pole z własnym pionkiem.</li>
  <li>Jeśli masz dozwolony ruch, musisz go wykonać. Po 1, 4 i 6 rzucasz jeszcze raz. Po 2 i 3 pasujesz, jeśli nie masz dozwolonego ruchu.</li>
</ul>
`,
};
