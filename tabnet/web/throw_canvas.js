// Draws and animates throws on a canvas: four sticks of two sides, or dice.

const ANIMATION_MS = 750;
const DICE_BEFORE_THROW = { dice: [6, 6], die: [6] }; // drawn pale before the first throw
const TURNS = 3; // the turns of a stick during the animation

const readColors = (canvas) => {
  const style = getComputedStyle(canvas);
  const names = ["stick-light", "stick-dark", "stick-edge", "die", "pip"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`)]));
};

/** The places of the pips: 0 to 8, row by row. */
const PIPS = {
  1: [4],
  2: [0, 8],
  3: [0, 4, 8],
  4: [0, 2, 6, 8],
  5: [0, 2, 4, 6, 8],
  6: [0, 2, 3, 5, 6, 8],
};

export class ThrowCanvas {
  #shown = { equipment: undefined, values: null };
  #animationNumber = 0; // a new number ends the current animation

  constructor(canvas) {
    this.canvas = canvas;
    new ResizeObserver(() => this.#paint(1)).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#paint(1));
  }

  /** Show a throw: sides of sticks or values of dice; null if nothing is thrown yet. */
  showThrow(equipment, values) {
    this.#animationNumber += 1;
    this.#shown = { equipment, values };
    this.#paint(1);
  }

  /** Show a throw with an animation, and return at its end. */
  async animateThrow(equipment, values) {
    this.showThrow(equipment, values);
    const animationNumber = this.#animationNumber;
    const startedAt = performance.now();
    await new Promise((done) => {
      const paintFrame = (now) => {
        if (animationNumber !== this.#animationNumber) return done();
        const progress = Math.min(1, (now - startedAt) / ANIMATION_MS);
        this.#paint(progress);
        if (progress < 1) requestAnimationFrame(paintFrame);
        else done();
      };
      requestAnimationFrame(paintFrame);
      setTimeout(done, 2 * ANIMATION_MS); // a hidden page draws no frames
    });
  }

  #paint(progress) {
    const { canvas } = this;
    const { width, height } = canvas.getBoundingClientRect();
    if (width === 0 || this.#shown.equipment === undefined) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const { equipment, values } = this.#shown;
    const paint = equipment === "sticks" ? paintSticks : paintDice;
    paint(context, { width, height, equipment, values, progress, colors: readColors(canvas) });
  }
}

const easeProgress = (progress) => 1 - (1 - progress) ** 3;

function paintSticks(context, { width, height, values, progress, colors }) {
  const [stickWidth, stickLength] = [Math.min(width / 8, 30), height * 0.78];
  const gap = values === null ? stickWidth * 1.15 : width / 4.6;
  for (let index = 0; index < 4; index += 1) {
    const rise = Math.sin(Math.PI * progress) * height * 0.22;
    const angle = values === null ? 0 : [-0.12, 0.07, -0.05, 0.13][index];
    context.save();
    context.translate(width / 2 + (index - 1.5) * gap * easeProgress(progress), height / 2 - rise);
    context.rotate(angle + (1 - easeProgress(progress)) * (index % 2 ? 5 : -5));
    paintStick(context, {
      stickWidth,
      stickLength,
      isLightUp: values?.[index] ?? false,
      turn: (1 - progress) * TURNS * Math.PI,
      colors,
    });
    context.restore();
  }
}

// A turning stick looks narrower, and every half turn shows the other side.
function paintStick(context, { stickWidth, stickLength, isLightUp, turn, colors }) {
  const visibleShare = Math.max(0.15, Math.abs(Math.cos(turn)));
  const isLightVisible = Math.cos(turn) < 0 ? !isLightUp : isLightUp;
  const visibleWidth = stickWidth * visibleShare;
  context.fillStyle = isLightVisible ? colors["stick-light"] : colors["stick-dark"];
  context.strokeStyle = colors["stick-edge"];
  context.lineWidth = 1.5;
  context.beginPath();
  const radius = isLightVisible ? visibleWidth * 0.2 : visibleWidth / 2;
  context.roundRect(-visibleWidth / 2, -stickLength / 2, visibleWidth, stickLength, radius);
  context.fill();
  context.stroke();
  context.lineWidth = 1;
  context.globalAlpha = 0.45;
  context.beginPath();
  for (const place of isLightVisible ? [-0.3, 0, 0.3] : [-0.38, -0.34, 0.34, 0.38]) {
    context.moveTo(-visibleWidth * 0.3, place * stickLength);
    context.lineTo(visibleWidth * 0.3, place * stickLength);
  }
  context.stroke();
  context.globalAlpha = 1;
}

function paintDice(context, { width, height, equipment, values, progress, colors }) {
  const dice = values ?? DICE_BEFORE_THROW[equipment];
  const side = Math.min(height * 0.5, width / (dice.length + 1.6), 64);
  dice.forEach((value, index) => {
    const rise = Math.abs(Math.sin(2 * Math.PI * progress)) * height * 0.2 * (1 - progress);
    context.save();
    const offset = (index - (dice.length - 1) / 2) * side * 1.35;
    context.translate(width / 2 + offset, height / 2 - rise);
    context.rotate((index % 2 ? 0.1 : -0.08) + (1 - easeProgress(progress)) * (index % 2 ? 4 : -4));
    context.globalAlpha = values === null ? 0.35 : 1;
    const isRolling = progress < 0.85 && progress > 0;
    const shown = isRolling ? 1 + (Math.floor(progress * 37 + index) % 6) : value;
    paintDie(context, side, shown, colors);
    context.restore();
  });
}

function paintDie(context, side, value, colors) {
  context.fillStyle = colors.die;
  context.strokeStyle = colors["stick-edge"];
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(-side / 2, -side / 2, side, side, side * 0.2);
  context.fill();
  context.stroke();
  context.fillStyle = colors.pip;
  for (const place of PIPS[value]) {
    const [right, down] = [(place % 3) - 1, Math.floor(place / 3) - 1];
    context.beginPath();
    context.arc(right * side * 0.26, down * side * 0.26, side * 0.09, 0, 2 * Math.PI);
    context.fill();
  }
}
