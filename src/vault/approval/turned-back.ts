import { Closed } from '../../dialog/stage.ts'

/** The user has gone back to the list that they came from, before anything was asked of them. */
export class TurnedBack extends Closed {
  constructor() {
    super('The user turned back')
  }
}
