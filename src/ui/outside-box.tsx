import type { CSSObject } from '@emotion/react'
import { useEffect, useRef } from 'react'
import { color, radius } from '../../styles/tokens.ts'

interface OutsideBoxProps {
  /** What somebody else draws into. */
  box: HTMLElement | undefined
  /** The slot in which it stands. */
  slot: string
  /** Keeps room for it: somebody has to use it. */
  shown: boolean
}

/**
 * A place in the dialog for a box of a third party. The box itself stands in the page, as a child of the element, for
 * such scripts rarely find their way in a shadow tree; the dialog shows it through a slot, and so a modal one lets people
 * use it. It is put there once: a frame that is moved is loaded anew.
 */
export function OutsideBox({ box, slot, shown }: OutsideBoxProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box || !place.current) return
    const root = place.current.getRootNode()
    if (root instanceof ShadowRoot) {
      box.slot = slot
      root.host.append(box)
    } else place.current.append(box)
    return () => box.remove()
  }, [box, slot])
  return (
    <div ref={place} css={shown ? room : hidden}>
      <slot name={slot} />
    </div>
  )
}

// Takes no room, but is there: what runs in it must not be hidden from itself.
const hidden: CSSObject = { position: 'absolute' }
const room: CSSObject = {
  display: 'grid',
  placeContent: 'center',
  minHeight: 81,
  paddingBlock: 8,
  borderRadius: radius(12),
  background: color('surface-sunken'),
}
