import createCache, { type EmotionCache } from '@emotion/cache'
import { CacheProvider, type CSSObject } from '@emotion/react'
import { type ReactNode, useMemo } from 'react'
import { emotionSheet } from './sheet.ts'
import { type ThemeOptions, themeVariables } from './tokens.ts'

interface ShadowProps extends ThemeOptions {
  root: ShadowRoot
  lang?: string | undefined
  children: ReactNode
}

/**
 * What every shadow tree has around it: Emotion writing into sheets of that root, the theme's variables, and an end to
 * all styles that the page would hand down.
 */
export function Shadow({ root, theme, accent, lang, children }: ShadowProps): ReactNode {
  const look = useMemo<CSSObject>(
    () => ({ all: 'initial', display: 'contents', ...themeVariables({ theme, accent }) }),
    [theme, accent],
  )
  return (
    <CacheProvider value={cacheFor(root)}>
      <div css={look} lang={lang}>
        {children}
      </div>
    </CacheProvider>
  )
}

const caches = new WeakMap<ShadowRoot, EmotionCache>()

/** The cache of a root lives as long as the root: what is opened again finds its rules there. */
function cacheFor(root: ShadowRoot): EmotionCache {
  const known = caches.get(root)
  if (known) return known
  const cache = createCache({ key: 'lk', container: root })
  cache.sheet = emotionSheet({ key: cache.key, container: root })
  caches.set(root, cache)
  return cache
}
