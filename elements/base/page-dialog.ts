import type { Run, Surface } from '../../src/dialog/surface.ts'
import type { Kit } from '../../src/kit/api.ts'
import type { ViewSettings } from '../view/contract.ts'
import { SurfaceElement } from './surface.ts'

type Wearable = Pick<Kit, 'look' | 'copy'>

/** Appended to the body for the duration of one run. */
class PageDialog extends SurfaceElement {
  kit: Wearable | undefined

  override readonly copy = undefined

  protected override start(): undefined {}

  protected override viewSettings(): ViewSettings {
    return { ...this.ownViewSettings, kit: this.kit as Wearable }
  }
}

/** The random part keeps it apart from other bundles on the page. */
const tag = `lk-page-${Math.random().toString(36).slice(2)}`

/** Where a kit shows its dialogs if the page has no element: in an element of our own. */
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
    replace(ended, next) {
      const dialog = dialogs.get(ended)
      if (!dialog?.replace(ended, next)) return false
      dialogs.delete(ended)
      dialogs.set(next, dialog)
      return true
    },
    async dismiss(run, end) {
      const dialog = dialogs.get(run)
      await dialog?.dismiss(run, end)
      // What it says where nothing could be loaded stays.
      if (!dialog?.shadowRoot?.textContent) dialog?.remove()
    },
  }
}
