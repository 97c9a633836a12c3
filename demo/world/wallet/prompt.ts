import type { Question } from './script.ts'

const style = `
dialog { position: fixed; inset: 1rem 1rem auto auto; box-sizing: border-box; width: min(22rem, calc(100vw - 2rem)); margin: 0;
  padding: 1.25rem; border: 1px solid light-dark(#c5d0da, #46566a); border-radius: .875rem; color-scheme: light dark;
  background: light-dark(#fff, #1d2833); color: light-dark(#1d1d24, #f2f4f6);
  font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', sans-serif; box-shadow: 0 1rem 3rem #0006 }
dialog::backdrop { background: #0003 }
h2 { margin: 0 0 .25rem; font-size: 1.0625rem; line-height: 1.3 }
p { margin: 0 0 .75rem; color: light-dark(#5c6873, #9aa9b7); overflow-wrap: anywhere }
pre { max-height: 12rem; overflow: auto; margin: 0 0 1rem; padding: .75rem; border-radius: .5rem; white-space: pre-wrap;
  overflow-wrap: anywhere; background: light-dark(#f1f4f7, #0e1621); font: 13px/1.5 ui-monospace, monospace }
div { display: flex; gap: .75rem }
button { flex: 1; padding: .5rem 1rem; border: 1px solid light-dark(#8696a5, #6b7c8c); border-radius: .5rem;
  background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button[value=approve] { background: #1f6fa5; border-color: #1f6fa5; color: #fff }
:focus-visible { outline: 2px solid light-dark(#1f6fa5, #6ab7ec); outline-offset: 2px }
`
const asks = {
  connect: 'Connect to this page?',
  sign: 'Sign this message?',
  send: 'Send this transaction?',
  'add chain': 'Add this network?',
} satisfies Record<Question['kind'], string>

/** One thing at a time: a second question waits for the answer to the first. */
let before: Promise<unknown> = Promise.resolve()

/** Asks the person in the page itself, where a real wallet would open a window of its own. */
export function askPerson(question: Question): Promise<boolean> {
  const answer = before.then(() => show(question))
  before = answer.catch(() => {})
  return answer
}

function show({ wallet, kind, origin, text }: Question): Promise<boolean> {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]

  const dialog = element('dialog', '')
  const title = element('h2', `${wallet}: ${asks[kind]}`)
  title.id = 'title'
  dialog.setAttribute('aria-labelledby', title.id)
  const actions = element('div', '')
  const approve = element('button', 'Approve')
  const reject = element('button', 'Reject')
  approve.value = 'approve'
  reject.value = 'reject'
  actions.append(reject, approve)
  dialog.append(title, element('p', `${origin} asks. This wallet is the demo’s own; its keys are public.`))
  if (text !== undefined) {
    const shown = element('pre', text)
    // What scrolls must be within reach of the keyboard.
    shown.tabIndex = 0
    dialog.append(shown)
  }
  dialog.append(actions)
  root.append(dialog)
  document.body.append(host)

  return new Promise((resolve) => {
    for (const button of [approve, reject]) button.addEventListener('click', () => dialog.close(button.value))
    dialog.addEventListener('close', () => {
      host.remove()
      resolve(dialog.returnValue === 'approve')
    })
    // Over a dialog of the page, which would make everything else inert.
    dialog.showModal()
    approve.focus()
  })
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
