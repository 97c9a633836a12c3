/**
 * The least time that this process was at work in one of several rounds, in milliseconds. Other programs on the machine don't count,
 * and neither do the first rounds, in which code is compiled.
 */
export function leastCpuTime(rounds: number, act: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage()
    act()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}
