// Going through a graph by keyboard: up to operands, down to what takes them, aside to the next box.

export class Walker {
  constructor(stage) {
    this.stage = stage;
    this.siblings = []; // the operands of the box that the reader came up from, or else all boxes as they are read
  }

  /** The box that has the keyboard. */
  focused() {
    return this.stage.svg.getRootNode().activeElement?.closest?.(".box");
  }

  /** Up to an operand, down to a consumer; from nowhere to the result. */
  walk(upwards) {
    const { pass, flat } = this.stage, box = this.focused();
    if (!box) return this.stage.focus(pass.root);
    const here = Number(box.dataset.box);
    const ways = flat.edges.filter(each => (upwards ? each.to : each.from) === here).sort((a, b) => a.port - b.port);
    if (!ways.length) return;
    this.siblings = ways.map(each => (upwards ? each.from : each.to));
    this.stage.focusBox(this.siblings[0]);
  }

  /** To the next operand beside this one, or to the next box. */
  aside(by) {
    const here = Number(this.focused().dataset.box), { boxes } = this.stage.flat;
    const read = () => boxes.map((_, index) => index).sort((a, b) => boxes[a].y + boxes[a].h / 2 - boxes[b].y - boxes[b].h / 2 || boxes[a].x - boxes[b].x);
    const row = this.siblings.length > 1 && this.siblings.includes(here) ? this.siblings : read();
    this.stage.focusBox(row[(row.indexOf(here) + by + row.length) % row.length]);
  }
}
