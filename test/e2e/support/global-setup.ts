import { demoFolderVariable, launchDemo } from './demo.ts'

/** One demo for all tests; it comes up while the workers load theirs. Resolves with what ends it. */
export default async function startSharedDemo(): Promise<() => Promise<void>> {
  const { folder, stop } = await launchDemo()
  process.env[demoFolderVariable] = folder
  return stop
}
