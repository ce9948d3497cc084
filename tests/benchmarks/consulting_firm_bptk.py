"""The consulting firm as an agent-based model on the classes of bptk-py: a peer for timings, written on its API.

Agents report by events, which the framework delivers in the next step; controlling therefore books with a lag. The
model knows what story_5 needs: no campaigns, and a whole month a step.
"""

from BPTK_Py import Agent, AgentDataCollector, Event, Model, SimultaneousScheduler

BOOKED = ("revenue", "expenses", "earnings", "accumulated_revenue", "accumulated_expenses", "accumulated_earnings")


def double(value):
    return {"type": "Double", "value": float(value)}


class Controlling(Agent):
    def initialize(self):
        self.state = "active"
        for name in (*BOOKED, "effort", "capacity", "accumulated_effort", "accumulated_capacity", "utilization"):
            self.set_property(name, double(0))
        self.inbox = {"revenue": 0.0, "effort": 0.0, "cost": 0.0, "capacity": 0.0}
        self.register_event_handler(["active"], "worked", self.on_report)
        self.register_event_handler(["active"], "employed", self.on_report)

    def on_report(self, event):
        for name, amount in event.data.items():
            self.inbox[name] += amount

    def act(self, time, round_no, step_no):
        for name in ("revenue", "expenses", "earnings", "effort", "capacity"):
            total = f"accumulated_{name}"
            self.set_property_value(total, self.get_property_value(total) + self.get_property_value(name))
        capacity = self.accumulated_capacity
        self.utilization = self.accumulated_effort / capacity if capacity else 0.0
        self.revenue = self.inbox["revenue"]
        self.expenses = self.inbox["cost"] + self.model.fixed_cost * self.model.dt
        self.earnings = self.revenue - self.expenses
        self.effort, self.capacity = self.inbox["effort"], self.inbox["capacity"]
        self.inbox = dict.fromkeys(self.inbox, 0.0)


class Consultant(Agent):
    def initialize(self):
        self.state = "available"
        self.client = None

    def act(self, time, round_no, step_no):
        dt = self.model.dt
        report = {"cost": (self.salary + self.workplace_cost) * dt, "capacity": dt}
        self.model.enqueue_event(Event("employed", self.id, self.model.controlling_id, report))
        left = dt
        while left > 0:
            if self.state == "available" and not self.find_client():
                return
            if self.client.state == "completed":
                self.state, self.client = "available", None
                return
            left = self.client.take(left)

    def find_client(self):
        for state in ("ready", "started"):
            project_id = self.model.next_project(state)
            if project_id is not None:
                self.client = self.model.agent(project_id)
                self.client.join()
                self.state = "busy"
                return True
        return False


class Client(Agent):
    def initialize(self):
        self.state = "acquired"
        self.set_property("remaining", double(0))
        self.set_property("staff", double(0))
        self.set_property("step_effort", double(0))

    def join(self):
        if self.state == "ready":
            self.remaining = self.contracted_effort
            self.state = "started"
        self.staff = self.staff + 1
        if self.staff == self.consultants:
            self.state = "fully_staffed"

    def take(self, months):
        """Let a consultant work; return the time that is left to them in the step."""
        done = min(months, self.remaining)
        self.remaining = self.remaining - done
        self.step_effort = self.step_effort + done
        return months - done if done > 0 else 0.0

    def act(self, time, round_no, step_no):
        report = {"revenue": self.step_effort * self.billing_rate, "effort": self.step_effort}
        self.model.enqueue_event(Event("worked", self.id, self.model.controlling_id, report))
        self.step_effort = 0.0
        if self.state == "acquired" and time == self.start_time:
            self.state = "ready"
        if time >= self.deadline:
            self.state = "completed"
        elif time < self.model.stoptime and self.state in ("started", "fully_staffed") and self.remaining <= 0:
            if self.comes_about(self.extension_probability):
                self.remaining = self.extension_effort
            else:
                self.state = "completed"
        if time == self.deadline and self.comes_about(self.follow_on_probability):
            self.order_follow_on(time)

    def comes_about(self, probability):
        return probability > 1 - self.model.revenue_risk_level

    def order_follow_on(self, time):
        names = ("contracted_effort", "extension_probability", "extension_effort", "consultants", "billing_rate")
        terms = {name: double(self.get_property_value(name)) for name in names}
        terms |= {"follow_on_probability": double(0), "start_time": double(time + 1)}
        terms["deadline"] = double(min(self.model.stoptime, time + self.deadline - self.start_time))
        self.model.create_agent("project", terms)


class Firm(Model):
    def instantiate_model(self):
        kinds = {"controlling": Controlling, "consultant": Consultant, "project": Client}
        for name, kind in kinds.items():
            self.register_agent_factory(
                name, lambda agent_id, model, given, k=kind, n=name: k(agent_id, model, given, n)
            )

    @property
    def controlling_id(self):
        return self.agent_type_map["controlling"][0]

    def next_project(self, state):
        return next((k for k in self.agent_type_map["project"] if self.agents[k].state == state), None)


def simulate(scenario):
    """Build, configure and run the model of a scenario in the reference's form; return what controlling booked."""
    model = Firm(name="firm", scheduler=SimultaneousScheduler(), data_collector=AgentDataCollector())
    model.instantiate_model()
    model.configure(scenario)
    model.run()
    (steps,) = model.data_collector.agent_statistics["controlling"].values()
    return list(steps.values())
