// The texts of Plakoto in Polish.

export const TEXTS = {
  "title": "Plakoto",
  "legend": "Białe idą od 1 do 24, czarne od 24 do 1; na stosie w dwóch kolorach dolny pionek jest przygwożdżony. Obok planszy: zdjęte pionki.",
  "color.White": "Białe",
  "color.Black": "Czarne",
  "size": { one: "{count} pole", few: "{count} pola", many: "{count} pól" },
  "point": "pole {number}",
  "tray.White": "taca białych",
  "tray.Black": "taca czarnych",
  "off": "taca",
  "checkers.White": { one: "{count} biały pionek", few: "{count} białe pionki", many: "{count} białych pionków" },
  "checkers.Black": { one: "{count} czarny pionek", few: "{count} czarne pionki", many: "{count} czarnych pionków" },
  "pinned.White": "na przygwożdżonym białym pionku",
  "pinned.Black": "na przygwożdżonym czarnym pionku",
  "throw": "{first} i {second}",
  "prompt.one": "Wybierz pionek, który przesunie się o {first}.",
  "prompt.two": "Wybierz pionek, który przesunie się o {first} lub {second}.",
  "prompt.destination": "Wybierz cel.",
  "progress": { one: "{count} zdjęty", few: "{count} zdjęte", many: "{count} zdjętych" },
  "gain": "przygwożdżenie",
  "reason.borne_off": "Wszystkie pionki są zdjęte.",
  "reason.mother": "Matka jest przygwożdżona.",
  "reason.both_mothers": "Obie matki są przygwożdżone.",
  "code.pinned": "Ten pionek jest przygwożdżony.",
  "code.closed_point": "To pole jest zamknięte przez przeciwnika.",
  "code.not_home": "Pionki zdejmuje się, gdy wszystkie są na ostatnich sześciu polach i żaden nie jest przygwożdżony.",
  "code.must_play_most": "Trzeba wykorzystać jak najwięcej z rzutu.",
  "rules": `
<h3>Plakoto</h3>
<p>Przeprowadź wszystkie piętnaście pionków dookoła planszy i zdejmij je. Twoje pionki zaczynają na dole po prawej, idą w lewo i kończą na górze po prawej.</p>
<ul>
  <li>Każda kość przesuwa jeden pionek; dublet rozgrywa się cztery razy. Trzeba wykorzystać jak najwięcej z rzutu.</li>
  <li>Jeśli staniesz na pojedynczym pionku przeciwnika, jest on przygwożdżony: nie może się ruszyć, dopóki Twoje pionki nie odejdą. Pole z dwoma lub więcej pionkami przeciwnika jest zamknięte.</li>
  <li>Gdy wszystkie Twoje pionki są na ostatnich sześciu polach i żaden nie jest przygwożdżony, zdejmuj je: kliknij pionek, a potem tacę.</li>
  <li>Gracz, który pierwszy zdejmie wszystkie pionki, zdobywa 1 punkt albo 2 punkty, jeśli przeciwnik nie zdjął żadnego. Matka to ostatni pionek gracza na jego pierwszym polu. Jeśli przygwoździsz matkę przeciwnika, zdobywasz 2 punkty, gdy tylko na Twoim pierwszym polu nie ma już Twoich pionków. Jeśli obie matki są przygwożdżone, gra kończy się remisem.</li>
</ul>
`,
};
