import { isRefusalCode, type RefusalCode, refusals } from './errors.ts'

/** The bundler's conduct from now on. */
export const behaviours = {
  normal: 'Includes every operation that its EntryPoint takes',
  hold: 'Takes operations, and includes none until they are released',
  drop: 'Takes operations, and forgets them',
  refuse: 'Refuses operations and estimates, with the chosen code',
  silent: 'Answers nothing',
  down: 'Is out of order',
  'low-gas': 'Estimates a third of the gas that is needed',
  'huge-gas': 'Estimates a hundred times the gas that is needed',
  'no-prices': 'Has no method for gas prices',
  'wrong-hash': 'Takes operations under a hash that is not theirs',
  'wrong-outcome': 'Reports successes as failures, and failures as successes',
  'wrong-transaction': "Names a transaction in receipts that isn't the operation's",
} as const
export type Behaviour = keyof typeof behaviours

export interface Conduct {
  readonly behaviour: Behaviour
  /** For `refuse`. */
  readonly code: RefusalCode & number
}

export function createConduct() {
  let conduct: Conduct = { behaviour: 'normal', code: -32_500 }
  return {
    get now() {
      return conduct
    },
    is: (behaviour: Behaviour) => conduct.behaviour === behaviour,
    /** `false`: there is no such behaviour or code, and nothing has changed. */
    set(behaviour: string, code: number = conduct.code): boolean {
      if (!Object.hasOwn(behaviours, behaviour) || !isRefusalCode(code)) return false
      conduct = { behaviour: behaviour as Behaviour, code }
      return true
    },
  }
}

/** The page on which it is chosen. @param action where the form goes */
export function conductPage(
  title: string,
  {
    action,
    chosen,
    choices,
    more = '',
  }: {
    action: string
    chosen: string
    choices: Readonly<Record<string, string>>
    more?: string
  },
): string {
  const buttons = Object.entries(choices).map(
    ([name, text]) =>
      `<button name="behaviour" value="${name}"${name === chosen ? ' class="main"' : ''}>${text}</button>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head>
<body><main><h1>${title}</h1><form method="post" action="${action}">${more}${buttons.join(' ')}</form></main></body></html>`
}

/** The codes of refusals, to choose from in a form. */
export const codeField = (chosen: number) =>
  `<label>Code of refusals <select name="code">${Object.entries(refusals)
    .map(
      ([code, text]) =>
        `<option value="${code}"${Number(code) === chosen ? ' selected' : ''}>${code} ${text}</option>`,
    )
    .join('')}</select></label>`
