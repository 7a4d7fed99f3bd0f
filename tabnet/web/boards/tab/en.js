// The texts of Tab in English.

export const TEXTS = {
  "title": "Tab",
  "legend": "A hollow piece has not moved yet, a full one is in motion, a ringed one has been in the last row.",
  "color.Blue": "Blue",
  "color.Red": "Red",
  "size": { one: "{count} column", other: "{count} columns" },
  "cell": "cell {number}",
  "piece.Blue.fresh": "Blue, not moved yet",
  "piece.Blue.moved": "Blue, moved",
  "piece.Blue.veteran": "Blue, has been in the last row",
  "piece.Red.fresh": "Red, not moved yet",
  "piece.Red.moved": "Red, moved",
  "piece.Red.veteran": "Red, has been in the last row",
  "prompt.piece": "Choose a piece to move by {throw}.",
  "prompt.destination": "Choose the destination.",
  "progress": { one: "{count} piece", other: "{count} pieces" },
  "gain": { one: "a capture", other: "{count} captures" },
  "reason.all_captured": "The last piece is captured.",
  "code.first_move": "The first move of a piece needs a throw of 1, a Tab.",
  "code.blocked_row": "A piece in the last row stays there while you have pieces in your home row.",
  "rules": `
<h3>Tab</h3>
<p>Capture all of the opponent’s pieces. On your turn you throw four sticks. The value is the number of light sides that are up; no light side counts 6.</p>
<table>
  <thead><tr><th scope="col">Light sides</th><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Throw again</th><th scope="col">Probability</th></tr></thead>
  <tbody>
    <tr><td>0</td><td>Sitteh</td><td>6</td><td>yes</td><td>6 %</td></tr>
    <tr><td>1</td><td>Tab</td><td>1</td><td>yes</td><td>25 %</td></tr>
    <tr><td>2</td><td>Itneyn</td><td>2</td><td>no</td><td>38 %</td></tr>
    <tr><td>3</td><td>Telateh</td><td>3</td><td>no</td><td>25 %</td></tr>
    <tr><td>4</td><td>Arba’ah</td><td>4</td><td>yes</td><td>6 %</td></tr>
  </tbody>
</table>
<ul>
  <li>The first move of a piece needs a throw of 1, a Tab. A hollow piece has not moved yet; a ringed one has been in the last row.</li>
  <li>Pieces move along the rows as the arrows on the board show. From the third row a piece goes on to the fourth, or back to the second: you choose.</li>
  <li>A piece enters the last row only once, and stays there while any of your pieces is in your home row. It never returns to the home row.</li>
  <li>A move onto an opponent’s piece captures it. You cannot move onto your own piece.</li>
  <li>If you have a legal move, you must move. After 1, 4 and 6 you throw again. After 2 and 3 without a legal move, you pass.</li>
</ul>
`,
};
