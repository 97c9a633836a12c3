import type { ActivityEntry } from '../../activity/entry.ts'
import { x } from '../../ui/icons/frame.ts'
import { fileText, plus, shieldCheck, trash2 } from '../../ui/icons/lucide.ts'
import { arrowUpRight } from '../../ui/icons/sending.ts'

/** Path data of what a transaction does. */
export const kindIcon: Readonly<Record<ActivityEntry['title'], string>> = {
  transfer: arrowUpRight,
  approve: shieldCheck,
  revoke: trash2,
  deploy: plus,
  call: fileText,
  cancel: x,
  'add-code': plus,
  'remove-code': trash2,
}
