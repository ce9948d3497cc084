"""The reference's rules once more, agent by agent and without tables: the peer that the kernel must equal.

Every consultant is an object that acts alone. Source: the enterprise digital twin of the transentis BPTK tutorial.
"""

from dataclasses import dataclass, field

from bizgym.envs.digital_twin.scenario import Campaign, Consultants, Controlling, Project


@dataclass
class Client:
    """A project or, without a deadline, a campaign."""

    coins: list
    start: float
    deadline: float
    cap: float
    rate: float
    contracted: float
    contract_risk: float = 0.0
    p_extension: float = 0.0
    extension: float = 0.0
    p_follow_on: float = 0.0
    state: str = "acquired"
    remaining: float = 0.0
    staff: int = 0
    step_effort: float = 0.0
    risk: float = 0.0
    counted: bool = False
    tests: int = 0
    extensions: int = 0
    delivered: float = 0.0
    follow_on_coins: list = field(default_factory=list)
    spawned: bool = False


@dataclass
class Consultant:
    salary: float
    workplace: float
    post: Client | None = None


class Replica:
    """One firm; `steps` are what controlling booked, `efforts` what each project received in each step."""

    def __init__(self, scenario, coins):
        self.scenario, self.coins, self.dt = scenario, coins, scenario.dt_months
        self.agents, self.campaigns, self.projects = [], [], []
        self.seen = 0
        self.steps, self.efforts = [], []
        self.campaign_coins = []
        for agent in scenario.agents:
            self.create(agent)
        self.clear()

    def create(self, agent):
        if isinstance(agent, Consultants):
            for _ in range(agent.count):
                self.agents.append(Consultant(agent.salary_per_month, agent.workplace_cost_per_month))
        elif isinstance(agent, Project):
            offered, k = len(self.scenario.projects), len(self.projects)
            client = Client(
                self.coins[k],
                agent.start_month,
                agent.deadline_month,
                agent.staffing_cap,
                agent.rate_per_month,
                agent.effort_months,
                1.0 - agent.contracted_probability,
                agent.extension_probability,
                agent.extension_effort_months,
                agent.follow_on_probability,
                follow_on_coins=self.coins[k + offered],
            )
            self.projects.append(client)
            self.agents.append(client)
        elif isinstance(agent, Campaign):
            first = 2 * len(self.scenario.projects) + 2 * len(self.campaigns)
            self.campaign_coins.append((self.coins[first], self.coins[first + 1]))
            client = Client([], agent.start_month, float("inf"), agent.staffing_cap, 0.0, agent.effort_months)
            self.campaigns.append(client)
            self.agents.append(client)
        else:
            self.agents.append(agent)

    def clear(self):
        self.book = dict.fromkeys(("revenue", "risky", "effort", "salaries", "workplaces", "capacity", "demand"), 0.0)

    def run(self):
        for t in self.scenario.times:
            before = {id(project): project.delivered + project.step_effort for project in self.projects}
            for agent in self.agents:  # grows while it is walked: who is created acts in the same step
                self.act(agent, t)
            self.steps[-1].append(float(self.seen))
            after = [project.delivered + project.step_effort for project in self.projects]
            self.efforts.append([e - before.get(id(p), 0.0) for p, e in zip(self.projects, after, strict=True)])
        return self

    def act(self, agent, t):
        if isinstance(agent, Controlling):
            self.steps.append(list(self.book.values()))
            self.clear()
        elif isinstance(agent, Consultant):
            self.act_consultant(agent)
        elif any(agent is campaign for campaign in self.campaigns):
            self.act_campaign(agent, t)
        else:
            self.act_project(agent, t)

    def act_consultant(self, me):
        self.book["salaries"] += me.salary * self.dt
        self.book["workplaces"] += me.workplace * self.dt
        self.book["capacity"] += self.dt
        left = self.dt
        while left > 0:
            if me.post is None:
                me.post = self.find_work()
            if me.post is None:
                return
            if me.post.state == "completed":
                me.post = None
                return
            done = min(left, me.post.remaining)
            if done <= 0:
                return
            me.post.remaining -= done
            me.post.step_effort += done
            left -= done

    def find_work(self):
        for clients in (self.projects, self.campaigns):
            for client in clients:
                if client.state == "ready":
                    client.remaining, client.risk, client.staff = client.contracted, client.contract_risk, 1
                    full = clients is self.projects and client.cap == 1
                    client.state = "fully_staffed" if full else "started"
                    return client
            for client in clients:
                if client.state == "started":
                    client.staff += 1
                    if client.staff == client.cap:
                        client.state = "fully_staffed"
                    return client
        return None

    def comes_about(self, probability, coin):
        level = self.scenario.revenue_risk
        return coin < probability * level if self.scenario.gate == "bernoulli" else probability > 1 - level

    def act_project(self, me, t):
        revenue = me.step_effort * me.rate
        self.book["revenue"] += revenue
        self.book["risky"] += revenue * me.risk
        self.book["effort"] += me.step_effort
        me.delivered += me.step_effort
        me.step_effort = 0.0
        if not me.counted:
            self.seen, me.counted = self.seen + 1, True
        if me.state == "acquired" and t == me.start:
            me.state = "ready"
        if t >= me.deadline:
            me.state = "completed"
        at_work = me.state in ("started", "fully_staffed")
        if t < min(me.deadline, self.scenario.stop_month) and me.remaining <= 0 and at_work:
            if self.comes_about(me.p_extension, me.coins[1 + me.tests]):
                me.remaining += me.extension
                me.risk = 1 - me.p_extension
                me.extensions += 1
            me.tests += 1
            if me.remaining <= 0:
                me.state = "completed"
        if me.state in ("ready", "started", "fully_staffed"):
            self.book["demand"] += me.cap
        if t == me.deadline and me.p_follow_on > 0 and self.comes_about(me.p_follow_on, me.coins[0]):
            self.follow_on(me, t)

    def follow_on(self, me, t):
        terms = (me.cap, me.rate, me.contracted, 1.0 - me.p_follow_on, me.p_extension, me.extension)
        deadline = min(float(self.scenario.stop_month), t + me.deadline - me.start)
        self.append(Client(me.follow_on_coins, t + 1, deadline, *terms))

    def append(self, client):
        self.projects.append(client)
        self.agents.append(client)

    def act_campaign(self, me, t):
        if me.state == "acquired" and t == me.start:
            me.state = "ready"
        if me.state in ("started", "fully_staffed") and me.remaining <= 0:
            me.state = "completed"
        if me.state == "completed" and not me.spawned:
            me.spawned = True
            number = next(k for k, campaign in enumerate(self.campaigns) if campaign is me)
            for coins in self.campaign_coins[number]:
                self.append(Client(coins, t + 3, t + 15, 2.0, 5_000.0, 12.0, p_extension=0.8, extension=6.0))
