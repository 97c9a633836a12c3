import { CacheProvider, type CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { cacheOf, themeClass } from './cache.ts'
import { type ThemeOptions, themeVariables } from './tokens.ts'

interface ShadowProps extends ThemeOptions {
  root: ShadowRoot
  /** The accent comes from the page's `--lk-accent`, which then stands for the whole theme and for no single colour. */
  derived?: boolean
  lang?: string | undefined
  children: ReactNode
}

/**
 * What every shadow tree has around it: the Emotion cache of that root for all styles below, the theme's variables, and an end
 * to all styles that the page would hand down.
 */
export function Shadow({ root, theme, accent, derived = false, lang, children }: ShadowProps): ReactNode {
  const name = themeClass(root, `${theme} ${accent} ${derived}`, (className) =>
    rulesOf(`.${className}`, {
      ...{ all: 'initial', display: 'contents' },
      ...(derived && { '--lk-accent': 'initial' }),
      ...themeVariables({ theme, accent }),
    }),
  )
  return (
    <CacheProvider value={cacheOf(root)}>
      <div className={name} lang={lang}>
        {children}
      </div>
    </CacheProvider>
  )
}

function rulesOf(selector: string, styles: CSSObject): string[] {
  let own = ''
  const others: string[] = []
  for (const [name, value] of Object.entries(styles)) {
    if (typeof value !== 'object') own += `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value};`
    else if (name.startsWith('@')) others.push(`${name}{${rulesOf(selector, value as CSSObject)}}`)
    else others.push(...rulesOf(name.replaceAll('&', selector), value as CSSObject))
  }
  return [`${selector}{${own}}`, ...others]
}
