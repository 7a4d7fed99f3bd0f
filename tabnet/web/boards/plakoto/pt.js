// The texts of Plakoto in Portuguese.

export const TEXTS = {
  "title": "Plakoto",
  "legend": "As brancas vão de 1 a 24, as pretas de 24 a 1; numa pilha de duas cores, a peça de baixo está presa. Ao lado do tabuleiro: as peças retiradas.",
  "color.White": "Brancas",
  "color.Black": "Pretas",
  "size": { one: "{count} casa", other: "{count} casas" },
  "point": "casa {number}",
  "tray.White": "saída das brancas",
  "tray.Black": "saída das pretas",
  "off": "fora",
  "checkers.White": { one: "{count} peça branca", other: "{count} peças brancas" },
  "checkers.Black": { one: "{count} peça preta", other: "{count} peças pretas" },
  "pinned.White": "sobre uma peça branca presa",
  "pinned.Black": "sobre uma peça preta presa",
  "throw": "{first} e {second}",
  "prompt.one": "Escolha uma peça para avançar {first}.",
  "prompt.two": "Escolha uma peça para avançar {first} ou {second}.",
  "prompt.destination": "Escolha o destino.",
  "progress": { one: "{count} retirada", other: "{count} retiradas" },
  "gain": "uma peça presa",
  "reason.borne_off": "Todas as peças foram retiradas.",
  "reason.mother": "A mãe está presa.",
  "reason.both_mothers": "As duas mães estão presas.",
  "code.pinned": "Esta peça está presa.",
  "code.closed_point": "Esta casa está fechada pelo adversário.",
  "code.not_home": "As peças só se retiram quando todas estão nas últimas seis casas e nenhuma está presa.",
  "code.must_play_most": "É obrigatório jogar o máximo possível do lançamento.",
  "rules": `
<h3>Plakoto</h3>
<p>Leve as quinze peças à volta do tabuleiro e retire-as. As suas peças começam em baixo à direita, movem-se para a esquerda e terminam em cima à direita.</p>
<ul>
  <li>Cada dado move uma peça; um duplo joga-se quatro vezes. É obrigatório jogar o máximo possível de um lançamento.</li>
  <li>Se cair sobre uma peça isolada do adversário, ela fica presa: não se pode mover enquanto houver peças suas em cima dela. Uma casa com duas ou mais peças do adversário está fechada.</li>
  <li>Quando todas as suas peças estiverem nas últimas seis casas e nenhuma estiver presa, retire-as: clique na peça e depois na saída.</li>
  <li>O jogador que retira primeiro todas as peças ganha 1 ponto, ou 2 pontos se o adversário não tiver retirado nenhuma. A mãe é a última peça de um jogador na sua casa de partida. Quem prende a mãe do adversário ganha 2 pontos logo que já não tenha peças na própria casa de partida. Se as duas mães estiverem presas, o jogo termina empatado.</li>
</ul>
`,
};
