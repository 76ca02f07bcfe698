import { execFile, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A node's location: its name, its address, and the network namespace its programs run in. */
export interface Place {
  name: string;
  address: string;
  namespace: string;
}

/** A place with its connection from here. */
interface Line extends Place {
  hardware: string;
  /** The end of the cable that is plugged into the bridge. */
  plug: string;
}

/** Why a network can't be created here; undefined: it can. */
export function whyNoNetwork(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid?.() !== 0) return 'only root can create network namespaces';
  const name = `parley-${randomBytes(4).toString('hex')}`;
  const { status } = spawnSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
  if (status !== 0) return '`ip netns` does not work';
  spawnSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
  return undefined;
}

/**
 * Machines on a switch, as far as their programs can tell: one network namespace each, and a bridge in another, out of
 * reach of this machine's firewalls; this process is connected to it too. Pulling one out of the bridge goes unnoticed:
 * both ends keep their link, and hardware addresses are known permanently, so packets are lost without any error.
 *
 * Everything has a random name, and `remove` removes exactly what was created.
 */
export class Network {
  readonly #key = randomBytes(3).toString('hex');
  readonly #switch = `parley-${this.#key}-switch`;
  /** This machine's end of its cable. */
  readonly #here = `plh${this.#key}`;
  /** From the range for benchmarks between machines, which is otherwise unused. */
  readonly #subnet = `198.18.${randomInt(1, 255)}`;
  readonly #lines: Map<string, Line>;

  private constructor(names: readonly string[]) {
    this.#lines = new Map(names.map((name, index) => [name, this.#lineTo(name, 10 + index)]));
  }

  static async create(names: readonly string[]): Promise<Network> {
    const network = new Network(names);
    try {
      await network.#make();
    } catch (error) {
      network.remove();
      throw error;
    }
    return network;
  }

  /** This process's address. */
  get address(): string {
    return `${this.#subnet}.1`;
  }

  /** All addresses of the network. */
  get range(): string {
    return `${this.#subnet}.0/24`;
  }

  place(name: string): Place {
    return this.#line(name);
  }

  /** From now on no packets get in or out. */
  async cut(name: string): Promise<void> {
    await this.#atSwitch(`link set ${this.#line(name).plug} nomaster`);
  }

  async heal(name: string): Promise<void> {
    await this.#atSwitch(`link set ${this.#line(name).plug} master bridge`);
  }

  /** Changes a system setting on one node, named as for `sysctl`. */
  async set(name: string, setting: string, value: string): Promise<void> {
    const file = `/proc/sys/${setting.replaceAll('.', '/')}`;
    const write = ['sh', '-c', `echo ${value} > ${file}`];
    await run('ip', ['netns', 'exec', this.#line(name).namespace, ...write]);
  }

  /**
   * Ends what still runs in the namespaces, and removes them with all cables. Also works on a partly created network,
   * and twice.
   */
  remove(): void {
    for (const namespace of [...[...this.#lines.values()].map((line) => line.namespace), this.#switch]) {
      const { stdout } = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' });
      for (const pid of stdout.split('\n').map(Number)) if (pid > 1) end(pid);
      spawnSync('ip', ['netns', 'del', namespace], { stdio: 'ignore' });
    }
    spawnSync('ip', ['link', 'del', this.#here], { stdio: 'ignore' });
  }

  async #make(): Promise<void> {
    await ip(`netns add ${this.#switch}`);
    await this.#atSwitch('link add bridge type bridge');
    await this.#atSwitch('link set bridge up');
    const end = `peer name here netns ${this.#switch}`;
    await ip(`link add ${this.#here} address ${hardwareOf(1)} type veth ${end}`);
    await this.#atSwitch('link set here master bridge up');
    await ip(`addr add ${this.address}/24 dev ${this.#here}`);
    await ip(`link set ${this.#here} up`);
    for (const line of this.#lines.values()) await this.#lay(line);
  }

  async #lay({ namespace, plug, address, hardware }: Line): Promise<void> {
    const inside = (command: string) => ip(`-n ${namespace} ${command}`);
    await ip(`netns add ${namespace}`);
    const end = `peer name eth0 address ${hardware} netns ${namespace}`;
    await this.#atSwitch(`link add ${plug} type veth ${end}`);
    await this.#atSwitch(`link set ${plug} master bridge up`);
    await inside('link set lo up');
    await inside(`addr add ${address}/24 dev eth0`);
    await inside('link set eth0 up');
    const known = 'nud permanent dev';
    await ip(`neigh replace ${address} lladdr ${hardware} ${known} ${this.#here}`);
    await inside(`neigh replace ${this.address} lladdr ${hardwareOf(1)} ${known} eth0`);
    for (const other of this.#lines.values())
      if (other.address !== address)
        await inside(`neigh replace ${other.address} lladdr ${other.hardware} ${known} eth0`);
  }

  #atSwitch(command: string): Promise<void> {
    return ip(`-n ${this.#switch} ${command}`);
  }

  #line(name: string): Line {
    const line = this.#lines.get(name);
    if (!line) throw new Error(`There is no ${name} in the network.`);
    return line;
  }

  #lineTo(name: string, number: number): Line {
    return {
      name,
      address: `${this.#subnet}.${number}`,
      namespace: `parley-${this.#key}-${name}`,
      hardware: hardwareOf(number),
      plug: `to-${name}`,
    };
  }
}

function hardwareOf(number: number): string {
  return `02:00:c6:12:00:${number.toString(16).padStart(2, '0')}`;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function ip(command: string): Promise<void> {
  await run('ip', command.split(' '));
}
