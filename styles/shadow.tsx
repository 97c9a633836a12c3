import { CacheProvider, type CSSObject } from '@emotion/react'
import { type ReactNode, useMemo } from 'react'
import { cacheOf } from './cache.ts'
import { type ThemeOptions, themeVariables } from './tokens.ts'

interface ShadowProps extends ThemeOptions {
  root: ShadowRoot
  lang?: string | undefined
  children: ReactNode
}

/**
 * What every shadow tree has around it: the Emotion cache of that root for all styles below, the theme's variables, and an end
 * to all styles that the page would hand down.
 */
export function Shadow({ root, theme, accent, lang, children }: ShadowProps): ReactNode {
  const look = useMemo<CSSObject>(
    () => ({ all: 'initial', display: 'contents', ...themeVariables({ theme, accent }) }),
    [theme, accent],
  )
  return (
    <CacheProvider value={cacheOf(root)}>
      <div css={look} lang={lang}>
        {children}
      </div>
    </CacheProvider>
  )
}
