// The texts of Draughts in Polish.

export const TEXTS = {
  "title": "Warcaby",
  "legend": "Korona oznacza damkę.",
  "color.White": "Białe",
  "color.Black": "Czarne",
  "piece.White.man": "biały pionek",
  "piece.White.king": "biała damka",
  "piece.Black.man": "czarny pionek",
  "piece.Black.king": "czarna damka",
  "prompt.piece": "Wybierz pionek. Bicie jest obowiązkowe.",
  "prompt.destination": "Wybierz cel.",
  "progress": { one: "{count} pionek", few: "{count} pionki", many: "{count} pionków" },
  "gain": { one: "jedno bicie", few: "{count} bicia", many: "{count} bić" },
  "reason.no_pieces": "Nie został żaden pionek.",
  "reason.repetition": "Pozycja wystąpiła po raz trzeci.",
  "reason.forty_moves": "Każda strona wykonała czterdzieści ruchów bez bicia i bez ruchu zwykłego pionka.",
  "code.must_capture": "Bicie jest możliwe i obowiązkowe.",
  "code.must_continue": "Bicie trzeba kontynuować.",
  "code.too_far": "Ruch kończy się wcześniej.",
  "code.no_capture": "Nie ma tam pionka przeciwnika, którego można przeskoczyć.",
  "rules": `
<h3>Warcaby</h3>
<p>Zbij lub zablokuj wszystkie pionki przeciwnika. Gra się tylko na ciemnych polach. Białe zaczynają.</p>
<ul>
  <li>Pionki chodzą i skaczą na ukos do przodu; damki także do tyłu.</li>
  <li>Jeśli możesz bić, musisz to zrobić, i bijesz dalej, dopóki możesz. Możesz wybrać dowolne bicie: klikaj pole po polu.</li>
  <li>Pionek, który dojdzie do ostatniego rzędu, staje się damką, a jego ruch się kończy.</li>
  <li>Gra kończy się remisem, gdy pozycja wystąpi po raz trzeci, albo po czterdziestu ruchach każdej strony bez bicia i bez ruchu zwykłego pionka.</li>
</ul>
`,
};
