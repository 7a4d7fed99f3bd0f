// What is thrown, drawn and animated on a canvas: four sticks of two sides, or two dice.

const FLIGHT_MS = 750;
const AT_REST = { dice: [6, 6], die: [6] }; // drawn pale before the first throw
const TURNS = 3; // a stick turns over so often on its way

const colors = (canvas) => {
  const style = getComputedStyle(canvas);
  const names = ["stick-light", "stick-dark", "stick-edge", "die", "pip"];
  return Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  );
};

const PIPS = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [-1, 1],
    [1, -1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [-1, 1],
    [0, 0],
    [1, -1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ],
};

export class Sticks {
  #shown = { things: undefined, values: null };
  #flight = 0; // the number of the throw that is in the air; another one ends it

  constructor(canvas) {
    this.canvas = canvas;
    new ResizeObserver(() => this.#paint(1)).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#paint(1));
  }

  /** Show what lies there: sides of sticks or values of dice; null is nothing thrown yet. */
  lay(things, values) {
    this.#flight += 1;
    this.#shown = { things, values };
    this.#paint(1);
  }

  /** Throw it; done when it has come to rest. */
  async throw(things, values) {
    this.lay(things, values);
    const flight = this.#flight;
    const begun = performance.now();
    await new Promise((landed) => {
      const step = (now) => {
        if (flight !== this.#flight) return landed();
        const part = Math.min(1, (now - begun) / FLIGHT_MS);
        this.#paint(part);
        if (part < 1) requestAnimationFrame(step);
        else landed();
      };
      requestAnimationFrame(step);
      setTimeout(landed, 2 * FLIGHT_MS); // a page that nobody sees draws nothing
    });
  }

  #paint(part) {
    const { canvas } = this;
    const { width, height } = canvas.getBoundingClientRect();
    if (width === 0 || this.#shown.things === undefined) return;
    const sharp = window.devicePixelRatio || 1;
    canvas.width = width * sharp;
    canvas.height = height * sharp;
    const brush = canvas.getContext("2d");
    brush.scale(sharp, sharp);
    const { things, values } = this.#shown;
    const paint = things === "sticks" ? paintSticks : paintDice;
    paint(brush, { width, height, things, values, part, colors: colors(canvas) });
  }
}

const settling = (part) => 1 - (1 - part) ** 3;

function paintSticks(brush, { width, height, values, part, colors }) {
  const [broad, long] = [Math.min(width / 8, 30), height * 0.78];
  const gap = values === null ? broad * 1.15 : width / 4.6;
  for (let at = 0; at < 4; at += 1) {
    const high = Math.sin(Math.PI * part) * height * 0.22;
    const lean = values === null ? 0 : [-0.12, 0.07, -0.05, 0.13][at];
    brush.save();
    brush.translate(width / 2 + (at - 1.5) * gap * settling(part), height / 2 - high);
    brush.rotate(lean + (1 - settling(part)) * (at % 2 ? 5 : -5));
    paintStick(brush, {
      broad,
      long,
      isLight: values?.[at] ?? false,
      turn: (1 - part) * TURNS * Math.PI,
      colors,
    });
    brush.restore();
  }
}

// Seen while it turns over: narrower, and each half turn with the other side up.
function paintStick(brush, { broad, long, isLight, turn, colors }) {
  const seen = Math.max(0.15, Math.abs(Math.cos(turn)));
  const side = Math.cos(turn) < 0 ? !isLight : isLight;
  const wide = broad * seen;
  brush.fillStyle = side ? colors["stick-light"] : colors["stick-dark"];
  brush.strokeStyle = colors["stick-edge"];
  brush.lineWidth = 1.5;
  brush.beginPath();
  brush.roundRect(-wide / 2, -long / 2, wide, long, side ? wide * 0.2 : wide / 2);
  brush.fill();
  brush.stroke();
  brush.lineWidth = 1;
  brush.globalAlpha = 0.45;
  brush.beginPath();
  for (const place of side ? [-0.3, 0, 0.3] : [-0.38, -0.34, 0.34, 0.38]) {
    brush.moveTo(-wide * 0.3, place * long);
    brush.lineTo(wide * 0.3, place * long);
  }
  brush.stroke();
  brush.globalAlpha = 1;
}

function paintDice(brush, { width, height, things, values, part, colors }) {
  const shown = values ?? AT_REST[things];
  const side = Math.min(height * 0.5, width / (shown.length + 1.6), 64);
  shown.forEach((value, at) => {
    const high = Math.abs(Math.sin(2 * Math.PI * part)) * height * 0.2 * (1 - part);
    brush.save();
    brush.translate(width / 2 + (at - (shown.length - 1) / 2) * side * 1.35, height / 2 - high);
    brush.rotate((at % 2 ? 0.1 : -0.08) + (1 - settling(part)) * (at % 2 ? 4 : -4));
    brush.globalAlpha = values === null ? 0.35 : 1;
    paintDie(
      brush,
      side,
      part < 0.85 && part > 0 ? 1 + (Math.floor(part * 37 + at) % 6) : value,
      colors,
    );
    brush.restore();
  });
}

function paintDie(brush, side, value, colors) {
  brush.fillStyle = colors.die;
  brush.strokeStyle = colors["stick-edge"];
  brush.lineWidth = 1.5;
  brush.beginPath();
  brush.roundRect(-side / 2, -side / 2, side, side, side * 0.2);
  brush.fill();
  brush.stroke();
  brush.fillStyle = colors.pip;
  for (const [right, down] of PIPS[value]) {
    brush.beginPath();
    brush.arc(right * side * 0.26, down * side * 0.26, side * 0.09, 0, 2 * Math.PI);
    brush.fill();
  }
}
