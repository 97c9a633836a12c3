import type { Clock } from '../../lib/clock.ts'
import { COPIED_VISIBLE } from '../../lib/copied.ts'
import { watchVisibility } from '../entry/visibility.ts'
import { VaultError } from '../errors.ts'
import { vaultLimits } from '../limits.ts'
import { createClipboard } from './clipboard.ts'
import { element } from './dom.ts'
import type { What } from './secret.ts'
import { words } from './words.ts'

/** What there is to press for, and what a press does. */
export interface Offer {
  readonly address: string
  /** The derivation path; `undefined` for an imported key. */
  readonly path: string | undefined
  /** Whether there is a recovery phrase to be had. */
  readonly phrase: boolean
  /** Puts the wallet together for this once. Throws {@link VaultError}. */
  read(what: What): Promise<string>
  /** Aborted when the person has logged out, in any page: nothing may be seen then. */
  readonly ended: AbortSignal
  /** The person has it now. */
  exported(what: What, how: 'shown' | 'copied'): void
}

type Say = (text: string, tone?: 'good') => void
interface Press {
  readonly button: HTMLButtonElement
  /** Rejects with what is then said. */
  act(): Promise<void>
  /** Whether it only hides something now: that is never refused. */
  hides?(): boolean
}
/** A part of the offer: what it looks like, what can be pressed, and how it forgets. */
interface Part {
  readonly nodes: readonly Node[]
  readonly presses: readonly Press[]
  /** Gives whether anything was to be seen. */
  hide(): boolean
}

/** Draws the buttons with which a person sees or copies their key. */
export function drawOffer(window: Window, clock: Clock, offer: Offer): HTMLElement {
  const page = window.document
  const status = element(page, 'p', { class: 'status', role: 'status' })
  const say: Say = (text, tone) => {
    status.textContent = text
    status.classList.toggle('good', tone === 'good')
  }
  const copier = createCopier(window, clock, offer, say)
  const parts = [
    drawPart(page, clock, offer, 'key', say, copier),
    ...(offer.phrase ? [drawPart(page, clock, offer, 'phrase', say, copier)] : []),
  ]
  guard(
    parts.flatMap(({ presses }) => presses),
    say,
  )
  offer.ended.addEventListener('abort', () => {
    for (const part of parts) part.hide()
  })
  hideOnLeaving(window, () => {
    const opened = parts.filter((part) => part.hide())
    if (opened.length > 0) say(words.hidden)
  })
  return element(
    page,
    'main',
    {},
    ...parts.flatMap(({ nodes }) => nodes),
    status,
    // What it is about, in the vault's own words: the page around may say anything.
    element(
      page,
      'p',
      { class: 'note', text: `${words.wallet} ` },
      element(page, 'span', { class: 'address', text: offer.address }),
    ),
    element(page, 'p', { class: 'note', text: noteOf(offer) }),
    element(page, 'p', { class: 'note', text: words.copyNote }),
    element(page, 'p', { class: 'note', text: words.warning }),
  )
}

function noteOf({ path, phrase }: Offer): string {
  if (path === undefined) return words.importedNote
  return phrase ? words.phraseNote(path) : words.pathNote(path)
}

/** The only button of a frame of 44 pixels; it also shows each message for a while. */
export function drawCompactOffer(window: Window, clock: Clock, offer: Offer): HTMLElement {
  const button = element(window.document, 'button', {
    type: 'button',
    text: words.copyKey,
    title: `${words.warning} ${words.copyNote}`,
  })
  button.ariaLive = 'polite'
  let said = new AbortController()
  const say: Say = (text) => {
    said.abort()
    said = new AbortController()
    button.textContent = text
    clock.sleep(COPIED_VISIBLE, said.signal).then(
      () => {
        button.textContent = words.copyKey
      },
      () => {},
    )
  }
  const copier = createCopier(window, clock, offer, say, {
    done: words.copiedShort,
    failed: words.notCopiedShort,
  })
  guard([{ button, act: () => copier('key') }], say)
  return element(window.document, 'main', { class: 'compact' }, button)
}

function createCopier(
  window: Window,
  clock: Clock,
  offer: Offer,
  say: Say,
  short?: { done: string; failed: string },
): (what: What) => Promise<void> {
  const clipboard = createClipboard(window, clock, (done) =>
    say(done ? words.cleared : words.notCleared, done ? 'good' : undefined),
  )
  offer.ended.addEventListener('abort', () => void clipboard.empty())
  return async (what) => {
    if (!(await clipboard.copy(offer.read(what)))) return say(short?.failed ?? words.notCopied)
    say(short?.done ?? words.copied, 'good')
    offer.exported(what, 'copied')
  }
}

function drawPart(
  page: Document,
  clock: Clock,
  offer: Offer,
  what: What,
  say: Say,
  copy: (what: What) => Promise<void>,
): Part {
  const isKey = what === 'key'
  const [show, hideWord, copyWord, name] = isKey
    ? [words.showKey, words.hideKey, words.copyKey, words.key]
    : [words.showPhrase, words.hidePhrase, words.copyPhrase, words.phrase]
  const well = element(page, 'div', {
    class: 'secret',
    id: what,
    role: 'group',
    'aria-label': name,
    tabindex: '0',
  })
  const shower = element(page, 'button', {
    type: 'button',
    text: show,
    'aria-controls': what,
    ...(!isKey && { class: 'quiet' }),
  })
  const copyButton = element(page, 'button', {
    type: 'button',
    class: 'quiet',
    text: words.copy,
    'aria-label': copyWord,
  })
  let shown = new AbortController()
  const mark = (open: boolean) => {
    well.hidden = !open
    shower.textContent = open ? hideWord : show
    shower.ariaExpanded = String(open)
  }
  const hide = () => {
    const wasOpen = !well.hidden
    shown.abort()
    well.replaceChildren()
    mark(false)
    return wasOpen
  }
  async function reveal(): Promise<void> {
    const text = await offer.read(what)
    if (!page.hasFocus()) return
    well.replaceChildren(isKey ? element(page, 'code', { text }) : wordList(page, text))
    mark(true)
    say(words.shown)
    offer.exported(what, 'shown')
    shown = new AbortController()
    clock.sleep(vaultLimits.exportShown, shown.signal).then(
      () => {
        hide()
        say(words.hidden)
      },
      () => {},
    )
  }
  mark(false)
  return {
    nodes: [element(page, 'div', { class: 'row' }, shower, copyButton), well],
    presses: [
      { button: shower, act: async () => (well.hidden ? reveal() : void hide()), hides: () => !well.hidden },
      { button: copyButton, act: () => copy(what) },
    ],
    hide,
  }
}

/** Numbered, as people write them down. */
const wordList = (page: Document, phrase: string) =>
  element(page, 'ol', {}, ...phrase.split(' ').map((text) => element(page, 'li', { text })))

/** A click counts if a person made it and could see the button: a page may cover the frame. One at a time. */
function guard(presses: readonly Press[], say: Say): void {
  const buttons = presses.map(({ button }) => button)
  const visibility = watchVisibility(buttons)
  let busy = false
  const mark = (now: boolean) => {
    busy = now
    for (const button of buttons) button.ariaDisabled = String(now)
  }
  for (const { button, act, hides } of presses)
    button.addEventListener('click', async (event) => {
      if (!event.isTrusted || busy) return
      if (!hides?.() && !visibility.seen(button)) return say(words.pressAgain)
      mark(true)
      await act().catch((cause: unknown) => say(cause instanceof VaultError ? cause.message : words.failed))
      mark(false)
    })
}

/** Nothing stays in sight when the person turns to something else. */
function hideOnLeaving(window: Window, hide: () => void): void {
  window.addEventListener('blur', hide)
  window.addEventListener('pagehide', hide)
  window.document.addEventListener('visibilitychange', () => {
    if (window.document.visibilityState === 'hidden') hide()
  })
}
