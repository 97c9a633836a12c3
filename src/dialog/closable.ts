import type { Scene } from './stage.ts'

/** Whether the user may close the dialog now. It can change while the same screen is shown. */
export const isClosable = ({ screen, props, isLocked = false }: Scene): boolean =>
  !isLocked && screen.closable(props)
