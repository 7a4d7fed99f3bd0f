// The texts of Plakoto in English.

export const TEXTS = {
  "title": "Plakoto",
  "legend": "White runs from 1 to 24, Black from 24 to 1; in a stack of two colours the lowest checker is pinned. Beside the board: checkers borne off.",
  "color.White": "White",
  "color.Black": "Black",
  "size": { one: "{count} point", other: "{count} points" },
  "point": "point {number}",
  "tray.White": "White’s tray",
  "tray.Black": "Black’s tray",
  "off": "off",
  "checkers.White": { one: "{count} White checker", other: "{count} White checkers" },
  "checkers.Black": { one: "{count} Black checker", other: "{count} Black checkers" },
  "pinned.White": "on a pinned White",
  "pinned.Black": "on a pinned Black",
  "throw": "{first} and {second}",
  "prompt.one": "Choose a checker to move by {first}.",
  "prompt.two": "Choose a checker to move by {first} or {second}.",
  "prompt.destination": "Choose the destination.",
  "progress": { one: "{count} borne off", other: "{count} borne off" },
  "gain": "a pin",
  "reason.borne_off": "All checkers are borne off.",
  "reason.mother": "The mother is pinned.",
  "reason.both_mothers": "Both mothers are pinned.",
  "code.pinned": "This checker is pinned.",
  "code.closed_point": "Your opponent holds this point.",
  "code.not_home": "Checkers are borne off when all are in the last six points and none is pinned.",
  "code.must_play_most": "You must play as much of the throw as possible.",
  "rules": `
<h3>Plakoto</h3>
<p>Bring all fifteen checkers around the board and bear them off. Your checkers start at the bottom right, move left, and end at the top right.</p>
<ul>
  <li>Each die moves one checker; a double is played four times. You must play as much of a throw as possible.</li>
  <li>If you land on a single checker of your opponent, it is pinned: it cannot move until your checkers leave. A point with two or more checkers of your opponent is closed.</li>
  <li>When all your checkers are in the last six points and none is pinned, bear them off: click the checker, then the tray.</li>
  <li>The player who bears off all checkers first wins 1 point, or 2 points if the opponent has borne off none. The mother is the last checker on its player’s first point. If you pin your opponent’s mother, you win 2 points as soon as you have no checker left on your own first point. If both mothers are pinned, the game is a draw.</li>
</ul>
`,
};
