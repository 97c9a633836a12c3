import { define } from './floor-modal.tsx'

define()
