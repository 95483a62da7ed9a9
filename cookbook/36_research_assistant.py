"""A research assistant over reports: LlamaIndex documents in, answers with their sources out.

Reports are read with LlamaIndex's own splitter; every answer names the report it comes from, and
where a report of later date says otherwise, both are shown in their order.
"""

from datetime import UTC, datetime

from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.schema import Document

from mnemis import Config, Mnemis
from mnemis_llamaindex import MemoryQuery, MnemisRetriever, add_nodes

REPORTS = [
    (
        "heat-pumps-2023.pdf",
        "2023-06-01",
        (
            "Field trial of heat pumps in 40 terraced houses. The mean seasonal performance factor "
            "was 2.9. Noise was the most frequent complaint. Installation took four days."
        ),
    ),
    (
        "heat-pumps-2025.pdf",
        "2025-02-10",
        (
            "Second field trial of heat pumps in 120 terraced houses. The mean seasonal "
            "performance factor was 3.4. Installation took two days. Better mounts halved the "
            "noise complaints."
        ),
    ),
    (
        "battery-storage.pdf",
        "2024-11-05",
        (
            "Home batteries of 10 kWh raised self-consumption of solar power from 31 to 64 "
            "percent. Payback took eleven years at the prices of 2024."
        ),
    ),
    (
        "热泵调研.pdf",
        "2025-04-20",
        "对苏州六十户家庭的热泵调研。冬季平均能效为三点一。用户最不满意的是噪声。",
    ),
]

documents = [
    Document(id_=name, text=text, metadata={"file_name": name, "creation_date": date})
    for name, date, text in REPORTS
]
nodes = SentenceSplitter(chunk_size=256, chunk_overlap=0).get_nodes_from_documents(documents)
for number, node in enumerate(nodes):
    node.id_ = f"chunk-{number}"  # names that stay the same from run to run

mnemis = Mnemis.open("memory", config=Config(consolidate="manual"))
lab = mnemis.scope("lab")
print(f"remembered {add_nodes(lab, nodes)} chunks of {len(documents)} reports")
lab.consolidate()

retriever = MnemisRetriever(memory=lab, k=2)
for question, k in (
    ("How well did the heat pumps perform in the trials?", 2),
    ("What do we know about batteries?", 1),
    ("热泵的噪声怎么样？", 2),
):
    print(f"\n== {question}")
    for each in retriever.with_k(k).retrieve(question):
        print(f"[{each.node.metadata['ref_doc_id']}] {each.text}")

print("\n== Only what was written since 2025")
recent = MemoryQuery(
    "seasonal performance factor", k=5, where={"time": {"gte": datetime(2025, 1, 1, tzinfo=UTC)}}
)
for each in retriever.retrieve(recent):
    print(each.node.metadata["ref_doc_id"])

print("\n== What the model is asked, with numbered sources")
engine = CitationQueryEngine.from_args(
    None, retriever=retriever.with_k(1), llm=MockLLM(), citation_chunk_size=512
)
print(str(engine.query("How long does payback of a battery take?")).split("------")[1].strip())
mnemis.close()
