import { vaultLimits } from '../limits.ts'

/**
 * Why a press does not count. `early`: too soon after a change, another press or a move of the focus. `covered`: the request has not been in
 * full view. `unread`: some of it has not been in view together with the button. `small`: nobody could read it.
 */
export type Refusal = 'early' | 'covered' | 'unread' | 'small'

/** `press`: of a button. `typed`: an answer that was typed, which says by itself that its screen was meant. */
export type Act = 'press' | 'typed'

export interface PressClock {
  now(): number
  /** Other reasons why an act doesn't count now, whatever came before it. */
  obstacle(act: Act): Refusal | undefined
}

/** Tells presses that were meant for what is shown from those that were under way anyhow. */
export interface Presses {
  /** The content or its place has changed: a press that has begun no longer counts. */
  change(): void
  /** The focus has come or gone: the second begins anew. */
  disturb(): void
  /** Another control has the focus. */
  focus(): void
  /** @param isNew the pointer has not been over the page for long enough to have been brought there for what is shown */
  beginPointer(id: number, isNew?: boolean): void
  /** @param canceled it became a scroll or a drag: no click follows */
  endPointer(id: number, canceled: boolean): void
  /** Enter or Space. @param act `typed` if the key went into a field */
  beginKey(isRepeated: boolean, act: Act): void
  /** A click arrives; a screen reader's has neither a pointer nor a key. Gives why it doesn't count, if it doesn't. */
  click(): Refusal | undefined
  /** Why an act that is not a click doesn't count now. */
  judge(act: Act): Refusal | undefined
  /** When the second of quiet is over, if nothing else happens. */
  quietAt(): number
}

interface Begun {
  readonly at: number
  readonly act: Act
  readonly refusal: Refusal | undefined
  endedAt?: number
}

export function createPresses({ now, obstacle }: PressClock): Presses {
  let changedAt = now()
  let disturbedAt = changedAt
  let focusedAt = changedAt
  let pointer: Begun | undefined
  let key: Begun | undefined
  const down = new Set<number>()

  const quietAt = () => Math.max(changedAt, disturbedAt) + vaultLimits.quietBeforePress
  function judge(act: Act): Refusal | undefined {
    const isEarly = act === 'press' ? now() < quietAt() : now() - changedAt < vaultLimits.visibleBeforePress
    return obstacle(act) ?? (isEarly ? 'early' : undefined)
  }
  /** The second counted until the press began; all else must be so until it ends. */
  function settle({ at, act, refusal }: Begun): Refusal | undefined {
    return changedAt > at ? 'early' : (refusal ?? obstacle(act))
  }
  const isOver = ({ endedAt }: Begun) =>
    endedAt !== undefined && now() - endedAt >= vaultLimits.quietBeforePress

  return {
    change() {
      changedAt = now()
    },
    disturb() {
      disturbedAt = now()
    },
    focus() {
      focusedAt = now()
    },
    beginPointer(id, isNew = false) {
      // Of two fingers nobody knows which one was meant.
      const isEarly = isNew || (down.size > 0 && !down.has(id))
      const refusal = isEarly ? 'early' : judge('press')
      down.add(id)
      key = undefined
      pointer = { at: now(), act: 'press', refusal }
      disturbedAt = now()
    },
    endPointer(id, canceled) {
      down.delete(id)
      if (canceled) pointer = undefined
      else if (pointer) pointer.endedAt = now()
    },
    beginKey(isRepeated, act) {
      const isNew = act === 'press' && now() - focusedAt < vaultLimits.keyAfterFocus
      const refusal = isRepeated || isNew ? 'early' : judge(act)
      pointer = undefined
      key = { at: now(), act, refusal }
      if (act === 'press') disturbedAt = now()
    },
    click() {
      const begun = key ?? pointer
      key = undefined
      pointer = undefined
      if (begun && !isOver(begun)) return settle(begun)
      const refusal = judge('press')
      disturbedAt = now()
      return refusal
    },
    judge,
    quietAt,
  }
}
