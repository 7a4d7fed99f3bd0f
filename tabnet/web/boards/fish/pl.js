// The texts of Fish in Polish.

export const TEXTS = {
  "title": "Ryby",
  "legend": "Na polu widać jego ryby; pingwin ma kolor swojego gracza.",
  "color.red": "czerwony",
  "color.white": "biały",
  "color.brown": "brązowy",
  "color.black": "czarny",
  "size": { one: "{count} pole", few: "{count} pola", many: "{count} pól" },
  "hole": "dziura",
  "fish": { one: "{count} ryba", few: "{count} ryby", many: "{count} ryb" },
  "penguin.red": "czerwony pingwin",
  "penguin.white": "biały pingwin",
  "penguin.brown": "brązowy pingwin",
  "penguin.black": "czarny pingwin",
  "prompt.place": "Wybierz pole, na którym stanie pingwin.",
  "prompt.penguin": "Wybierz pingwina, który się ruszy.",
  "prompt.destination": "Wybierz pole w linii prostej.",
  "progress.out": "{fish}, poza grą",
  "reason.no_moves": "Nikt nie może się ruszyć.",
  "code.must_place": "Najpierw ustaw wszystkie swoje pingwiny.",
  "code.all_placed": "Wszystkie Twoje pingwiny są ustawione: rusz jednym z nich.",
  "code.off_board": "Tego miejsca nie ma na planszy.",
  "code.hole": "Tam nie ma pola.",
  "code.blocked": "Po drodze jest dziura albo pingwin.",
  "rules": `
<h3>Ryby</h3>
<p>Zbierz najwięcej ryb. Gracze najpierw po kolei ustawiają swoje pingwiny, a potem poruszają nimi w linii prostej, w sześciu kierunkach.</p>
<ul>
  <li>Gdy Twój pingwin opuszcza pole, pole znika, a Ty dostajesz jego ryby.</li>
  <li>Pingwin nie może przejść przez dziurę ani przez innego pingwina.</li>
  <li>Gracz, który nie może się ruszyć, traci kolejkę. Gdy nikt nie może się ruszyć, wygrywa gracz z największą liczbą ryb. Pola pod pingwinami się nie liczą.</li>
</ul>
`,
};
