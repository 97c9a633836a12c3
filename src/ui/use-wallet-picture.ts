import { useEffect, useState } from 'react'
import { imageUrl } from './image-url.ts'

type Draw = (id: string) => string | undefined
/** Kept once it is here, so that the next screen has its pictures at once. */
let loaded: Draw | undefined

/**
 * What a wallet looks like: what it announced, else our drawing. `undefined` while that is on its way, `null` where
 * there is none. Nothing is fetched from anywhere: an announced picture carries itself, or is not shown. `refuse` is
 * to be told of one that can't be drawn.
 */
export function useWalletPicture({ id, icon }: { id: string; icon?: string | undefined }): {
  picture: string | null | undefined
  announced: boolean
  refuse(): void
} {
  const [broken, setBroken] = useState<string>()
  const [draw, setDraw] = useState(() => loaded)
  const url = icon?.startsWith('data:') ? imageUrl(icon) : undefined
  const announced = url === broken ? undefined : url
  useEffect(() => {
    if (announced || draw) return
    let wanted = true
    const take = (drawing: Draw) => wanted && setDraw(() => drawing)
    import('./icons/wallet-drawing.ts')
      .then(({ walletDrawing }) => {
        loaded = walletDrawing
        take(walletDrawing)
      })
      // A picture is not worth a failure.
      .catch(() => take(() => undefined))
    return () => {
      wanted = false
    }
  }, [announced, draw])
  return {
    picture: announced ?? (draw && (draw(id) ?? null)),
    announced: announced !== undefined,
    refuse: () => setBroken(url),
  }
}
