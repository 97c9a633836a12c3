/** How a stand-in behaves from now on. @param choices its behaviours, with a sentence for each; `normal` comes first */
export function createConduct<T extends string>(choices: Readonly<Record<T | 'normal', string>>) {
  let chosen: T | 'normal' = 'normal'
  return {
    get now() {
      return chosen
    },
    is: (behaviour: T | 'normal') => chosen === behaviour,
    /** `false`: there is no such behaviour, and nothing has changed. */
    set(behaviour: string): boolean {
      if (!Object.hasOwn(choices, behaviour)) return false
      chosen = behaviour as T
      return true
    },
  }
}

/** Ends with the request, or with the stand-in. */
export const neverAnswer = (...signals: readonly AbortSignal[]) =>
  new Promise<Response>((resolve) => {
    const end = () => resolve(new Response(null, { status: 503 }))
    for (const each of signals)
      if (each.aborted) end()
      else each.addEventListener('abort', end, { once: true })
  })

/** A page with a button for each behaviour. @param given.action where the form goes @param given.fields what else it has */
export function conductPage(
  title: string,
  given: { action: string; chosen: string; choices: Readonly<Record<string, string>>; fields?: string },
): string {
  const { action, chosen, choices, fields = '' } = given
  const buttons = Object.entries(choices).map(
    ([name, text]) =>
      `<button name="behaviour" value="${name}"${name === chosen ? ' class="main"' : ''}>${text}</button>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head>
<body><main><h1>${title}</h1><form method="post" action="${action}">${fields}${buttons.join(' ')}</form></main></body></html>`
}
