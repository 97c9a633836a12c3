import { CacheProvider } from '@emotion/react'
import type { ReactNode } from 'react'
import { cacheOf, themeClass } from './cache.ts'
import { type ThemeOptions, themeRules } from './theme.ts'

interface ShadowProps extends ThemeOptions {
  root: ShadowRoot
  /** The accent comes from the page's `--lk-accent`. */
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
    themeRules(`.${className}`, { theme, accent, derived }),
  )
  return (
    <CacheProvider value={cacheOf(root)}>
      <div className={name} lang={lang}>
        {children}
      </div>
    </CacheProvider>
  )
}
