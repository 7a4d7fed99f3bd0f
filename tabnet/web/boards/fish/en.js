// The texts of Fish in English.

export const TEXTS = {
  "title": "Fish",
  "legend": "A tile shows its fish; a penguin is in its player’s colour.",
  "color.red": "red",
  "color.white": "white",
  "color.brown": "brown",
  "color.black": "black",
  "size": { one: "{count} tile", other: "{count} tiles" },
  "hole": "hole",
  "fish": { one: "{count} fish", other: "{count} fish" },
  "penguin.red": "red penguin",
  "penguin.white": "white penguin",
  "penguin.brown": "brown penguin",
  "penguin.black": "black penguin",
  "prompt.place": "Choose a tile to place a penguin on.",
  "prompt.penguin": "Choose a penguin to move.",
  "prompt.destination": "Choose a tile in a straight line.",
  "progress.out": "{fish}, out",
  "reason.no_moves": "Nobody can move.",
  "code.must_place": "Place all your penguins first.",
  "code.all_placed": "All your penguins are placed: move one of them.",
  "code.off_board": "This place is not on the board.",
  "code.hole": "There is no tile in that place.",
  "code.blocked": "A hole or a penguin is in the way.",
  "rules": `
<h3>Fish</h3>
<p>Collect the most fish. First the players take turns to place their penguins. Then they move them in straight lines, in six directions.</p>
<ul>
  <li>When your penguin leaves a tile, the tile is removed and you collect its fish.</li>
  <li>A penguin cannot pass a hole or another penguin.</li>
  <li>A player who cannot move is skipped. When nobody can move, the player with the most fish wins. Tiles under penguins do not count.</li>
</ul>
`,
};
