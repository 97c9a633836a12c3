import type { Run, Surface } from '../../src/core/surface.ts'
import type { Kit } from '../../src/kit-api.ts'
import type { Dressing } from '../view/contract.ts'
import { SurfaceElement } from './surface.ts'

type Wearable = Pick<Kit, 'look' | 'copy'>

/** Stands at the end of the body for the time of one run. */
class PageDialog extends SurfaceElement {
  kit: Wearable | undefined

  protected override start(): undefined {}

  protected override dressing(): Dressing {
    return { ...this.ownDressing, kit: this.kit as Wearable }
  }
}

/** No other bundle on the page has this tag. */
const tag = `lk-page-${Math.random().toString(36).slice(2)}`

/** Where a kit shows its dialogs while the page offers no element: an element of our own. */
export function pageSurface(kit: Wearable): Surface {
  const dialogs = new WeakMap<Run, PageDialog>()
  return {
    async present(run) {
      if (!customElements.get(tag)) customElements.define(tag, PageDialog)
      const dialog = new PageDialog()
      dialog.kit = kit
      dialogs.set(run, dialog)
      document.body.append(dialog)
      await dialog.present(run)
    },
    async dismiss(run, end) {
      const dialog = dialogs.get(run)
      await dialog?.dismiss(run, end)
      dialog?.remove()
    },
  }
}
