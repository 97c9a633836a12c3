import { useEffect, useState } from 'react'
import { imageUrl } from '../brand/image-url.ts'

type Draw = (id: string) => string | undefined
/** Kept once it is loaded, so that the next screen has its icons at once. */
let loaded: Draw | undefined

/**
 * A wallet's icon: the announced one, else our drawing. `undefined` while it is loading, `null` if there is
 * none. Nothing is requested: an announced icon is a data URL, or is not shown. Call `refuse` for one that
 * can't be drawn.
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
    let active = true
    const take = (drawing: Draw) => active && setDraw(() => drawing)
    import('../icons/wallet-drawing.ts')
      .then(({ walletDrawing }) => {
        loaded = walletDrawing
        take(walletDrawing)
      })
      // An icon is not worth a failure.
      .catch(() => take(() => undefined))
    return () => {
      active = false
    }
  }, [announced, draw])
  return {
    picture: announced ?? (draw && (draw(id) ?? null)),
    announced: announced !== undefined,
    refuse: () => setBroken(url),
  }
}
