// The texts of Fish in Portuguese.

export const TEXTS = {
  "title": "Peixes",
  "legend": "Uma placa mostra os seus peixes; um pinguim tem a cor do seu jogador.",
  "color.red": "vermelho",
  "color.white": "branco",
  "color.brown": "castanho",
  "color.black": "preto",
  "size": { one: "{count} placa", other: "{count} placas" },
  "hole": "buraco",
  "fish": { one: "{count} peixe", other: "{count} peixes" },
  "penguin.red": "pinguim vermelho",
  "penguin.white": "pinguim branco",
  "penguin.brown": "pinguim castanho",
  "penguin.black": "pinguim preto",
  "prompt.place": "Escolha uma placa para colocar um pinguim.",
  "prompt.penguin": "Escolha um pinguim para mover.",
  "prompt.destination": "Escolha uma placa em linha reta.",
  "progress.out": "{fish}, fora do jogo",
  "reason.no_moves": "Ninguém se pode mover.",
  "code.must_place": "Coloque primeiro todos os seus pinguins.",
  "code.all_placed": "Todos os seus pinguins estão colocados: mova um deles.",
  "code.off_board": "Este lugar não fica no tabuleiro.",
  "code.hole": "Não há aí nenhuma placa.",
  "code.blocked": "Há um buraco ou um pinguim no caminho.",
  "rules": `
<h3>Peixes</h3>
<p>Recolha o maior número de peixes. Primeiro, os jogadores colocam os seus pinguins, à vez; depois movem-nos em linha reta, em seis direções.</p>
<ul>
  <li>Quando um pinguim seu sai de uma placa, a placa é retirada e os peixes dela são seus.</li>
  <li>Um pinguim não pode passar por um buraco nem por outro pinguim.</li>
  <li>Quem não se pode mover perde a vez. Quando ninguém se pode mover, ganha o jogador com mais peixes. As placas debaixo dos pinguins não contam.</li>
</ul>
`,
};
