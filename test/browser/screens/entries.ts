import { all } from '../../../demo/gallery/screens.ts'
import { mount, painted } from './mount.tsx'

/** Every example of every screen. `at`: its place among those of its screen. */
export const entries = Object.values(all).flatMap(({ screen, examples }) =>
  Object.entries(examples).map(([name, example], at) => ({ screen, name, example, at, isFirst: at === 0 })),
)
/** The scene of an example; a busy one is answered first, as a person would have done. */
export async function show(
  { screen, example }: (typeof entries)[number],
  options?: Parameters<typeof mount>[0],
) {
  const shown = mount(options)
  if (example.position) shown.stage.setPosition(example.position)
  await shown.ask(screen, example.props)
  if (example.busy !== undefined) {
    shown.stage.scene.get()?.answer(example.busy)
    await painted()
  }
  return shown
}
