// The texts of Draughts in English.

export const TEXTS = {
  "title": "Draughts",
  "legend": "A piece with a crown is a king.",
  "color.White": "White",
  "color.Black": "Black",
  "piece.White.man": "white man",
  "piece.White.king": "white king",
  "piece.Black.man": "black man",
  "piece.Black.king": "black king",
  "prompt.piece": "Choose a piece. Captures are mandatory.",
  "prompt.destination": "Choose the destination.",
  "progress": { one: "{count} piece", other: "{count} pieces" },
  "gain": { one: "a capture", other: "{count} captures" },
  "reason.no_pieces": "No piece is left.",
  "reason.repetition": "The position occurred for the third time.",
  "reason.forty_moves": "Each side made forty moves without a capture or a man’s move.",
  "code.must_capture": "A capture is possible, so you must capture.",
  "code.must_continue": "You must continue the capture.",
  "code.too_far": "The move ends earlier.",
  "code.no_capture": "There is nothing to jump over.",
  "rules": `
<h3>Draughts</h3>
<p>Capture or block all pieces of your opponent. Only the dark squares are used. White begins.</p>
<ul>
  <li>Men step and jump diagonally forward; kings also backward.</li>
  <li>If you can capture, you must, and you continue while you can. You may choose any capture: click square after square.</li>
  <li>A man that reaches the far rank becomes a king, and its move ends.</li>
  <li>The game is a draw when a position occurs for the third time, or after forty moves by each side without a capture or a man’s move.</li>
</ul>
`,
};
