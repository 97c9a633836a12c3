import { CacheProvider, type CSSObject } from '@emotion/react'
import { type ReactNode, useMemo } from 'react'
import { cacheOf } from './cache.ts'
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
  const look = useMemo<CSSObject>(
    () => ({
      ...{ all: 'initial', display: 'contents' },
      ...(derived && { '--lk-accent': 'initial' }),
      ...themeVariables({ theme, accent }),
    }),
    [theme, accent, derived],
  )
  return (
    <CacheProvider value={cacheOf(root)}>
      <div css={look} lang={lang}>
        {children}
      </div>
    </CacheProvider>
  )
}
