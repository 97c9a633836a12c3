/** The screen of giving a permission, with its words. */
import { addWords } from '../../../copy/copy.ts'
import { permission } from '../../../copy/en/permission.ts'

export { givePermission } from './give-permission.tsx'

addWords(permission)
