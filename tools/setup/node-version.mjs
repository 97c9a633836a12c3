/** Refuses a Node that is too old, in syntax that any Node can parse. */

const wanted = [20, 18]

/** Ends the process with a plain message when this Node is older than the project needs. */
export function ensureNode(version = process.versions.node) {
  if (isRecent(version)) return
  console.error(
    `Latchkey needs Node ${wanted.join('.')} or later, and this is Node ${version}.\n` +
      'Install a newer one from https://nodejs.org (or with nvm: nvm install 20), then run the command again.',
  )
  process.exit(1)
}

function isRecent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1])
}
